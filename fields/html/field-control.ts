import type { PageTexts } from '../languages/language.ts';
import type { JsonValue, Property } from '../property.ts';
import type { Html } from './html.ts';

/** What rendering a control needs besides its property. */
export interface ControlContext {
  texts: PageTexts;
  /** Language of the form, as in `<html lang>`; for month names and the like. */
  language: string;
  /** The answer so far, as it was sent: it may be invalid. Undefined if there is none. */
  answer: JsonValue | undefined;
  /** `id` of the element the label points to; parts of a group are `<id>-0`, `<id>-1` … */
  id: string;
  /** Value for `aria-describedby` (help and error), or null. */
  describedBy: string | null;
  isRequired: boolean;
  isInvalid: boolean;
  isDisabled: boolean;
  /** The value of another field of the form, or of a calculation, by its id; undefined for none. */
  valueFor?: ((id: string) => JsonValue | undefined) | undefined;
  /** Answers that were sent before are edited: nothing is paid then. */
  isEdit?: boolean | undefined;
  /** Places left of options with a limit, by name. */
  placesLeft?: ReadonlyMap<string, number> | undefined;
  /** Where the form can be sent to be shown again unchanged, so that buttons may change the questions; null if nowhere. */
  againUrl: string | null;
  /** Identifies the visit, because each visit shuffles in its own order. Null if nothing is shuffled. */
  orderSeed: string | null;
  /** Largest file in megabytes that the workspace allows. */
  maxFileSize: number;
  /** An author's HTML as safe markup; called for every page, so it should cache. */
  richText(html: string): string;
  /** For the first and last day a date may have; the current time by default. */
  now?: Date;
}

/**
 * How a type of field is asked on a page. It works without a script, which finds elements to enhance by `data-…` attributes. The
 * names of inputs are those that `readPost` reads: the field's id, `<id>[<n>]` for its n-th part.
 */
export interface FieldControl {
  /**
   * Several inputs under one legend (`fieldset`) instead of one input under a `label`. Radios of one name are a `radiogroup`; a
   * group is disabled by its fieldset.
   */
  groupRole(property: Property): 'none' | 'group' | 'radiogroup';
  /** The label comes after the control, as for a box to tick. */
  labelFollows?: boolean;
  render(property: Property, context: ControlContext): Html;
}
