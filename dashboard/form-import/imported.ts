import type { Ending } from '../../fields/logic/endings.ts';
import type { Property } from '../../fields/property.ts';
import type { Calculation } from '../calculations/fields.ts';

/** Something that could not be imported. */
export interface ImportNote {
  /** The question concerned; '' for the form itself. */
  about: string;
  text: string;
}

/** The body of `POST /open/forms`. */
export interface FormInput {
  title: string;
  properties: Property[];
  computed_variables?: Calculation[];
  endings?: Ending[];
  [key: string]: unknown;
}

/** A form of another product, converted to one of ours. */
export interface ImportedForm {
  form: FormInput;
  notes: ImportNote[];
}

/** Explains to the user why the source contains no form. */
export class UnreadableForm extends Error {}
