import type { Property } from '../../fields/property.ts';
import type { Calculation } from '../calculations/fields.ts';

/** Something that could not be brought along. */
export interface ImportNote {
  /** The question it is about; '' where it is about the form. */
  about: string;
  text: string;
}

/** What `POST /open/forms` takes. */
export interface FormInput {
  title: string;
  properties: Property[];
  computed_variables?: Calculation[];
  [key: string]: unknown;
}

/** A form of another product as one of ours. */
export interface ImportedForm {
  form: FormInput;
  notes: ImportNote[];
}

/** Why there is no form in what was chosen, in words for whoever chose it. */
export class UnreadableForm extends Error {}
