import type { Property } from '../../fields/property.ts';
import type { Form } from '../api/queries.ts';

/** A form to begin with: what one may change of a form, under a name to choose by. */
export interface Template {
  key: string;
  name: string;
  /** What it is good for, in a line. */
  purpose: string;
  group: 'Contact' | 'Feedback' | 'Events' | 'Work' | 'Shop' | 'Learning';
  form: TemplateForm;
}

/** Members of the request that creates a form. */
export interface TemplateForm {
  title: string;
  description?: string;
  submit_button_text?: string;
  submitted_text?: string;
  presentation_style?: 'classic' | 'focused';
  show_progress_bar?: boolean;
  confetti_on_submission?: boolean;
  /** With its unit, how long answers are kept; without end when absent. */
  submission_retention_value?: number;
  submission_retention_unit?: 'day' | 'week' | 'month' | 'year';
  properties: Property[];
  /** Formulas and texts name the fields by the ids of the template. */
  computed_variables?: Form['computed_variables'];
}
