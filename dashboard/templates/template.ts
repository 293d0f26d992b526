import type { Property } from '../../fields/property.ts';
import type { Form } from '../api/queries.ts';

/** A form to begin with, under a name to choose by. */
export interface Template {
  key: string;
  name: string;
  /** Its use, in one line. */
  purpose: string;
  group: 'Contact' | 'Feedback' | 'Events' | 'Work' | 'Shop' | 'Learning';
  form: TemplateForm;
}

/** Members of a request to create a form. */
interface TemplateForm {
  title: string;
  description?: string;
  submit_button_text?: string;
  submitted_text?: string;
  presentation_style?: 'classic' | 'focused';
  show_progress_bar?: boolean;
  confetti_on_submission?: boolean;
  /** With the unit, how long answers are kept; without end by default. */
  submission_retention_value?: number;
  submission_retention_unit?: 'day' | 'week' | 'month' | 'year';
  properties: Property[];
  /** Formulas and texts refer to fields by their ids in the template. */
  computed_variables?: Form['computed_variables'];
}
