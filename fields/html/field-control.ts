import type { PageTexts } from '../languages/language.ts';
import type { JsonValue, Property } from '../property.ts';
import type { Html } from './html.ts';

/** What a control is drawn from, besides its property. */
export interface ControlContext {
  texts: PageTexts;
  /** Of the form, as in `<html lang>`; for month names and the like. */
  language: string;
  /** What was answered so far, as it came: it may be wrong. Undefined when nothing was. */
  answer: JsonValue | undefined;
  /** `id` of the element the label points to; parts of a group are `<id>-0`, `<id>-1` … */
  id: string;
  /** Value for `aria-describedby` (help and error), or null. */
  describedBy: string | null;
  isRequired: boolean;
  isInvalid: boolean;
  isDisabled: boolean;
  /** Of options with a limit, by name: how many places are left. */
  placesLeft?: ReadonlyMap<string, number> | undefined;
  /** Where a form is sent to be shown again as it stands, so that buttons may change what it asks; null for nowhere. */
  againUrl: string | null;
  /** Of the visit: what is shuffled has an order of its own in each. Null where all stays in its order. */
  orderSeed: string | null;
  /** Largest file in megabytes that the workspace takes. */
  maxFileSize: number;
  /** Today, for the first and last day a date may have; the clock when absent. */
  now?: Date;
}

/**
 * How a type of field is asked on a page. Works without a script; the script of the page finds what it makes nicer by
 * `data-…` attributes. Names of inputs are what `readPost` reads: the field's id, `<id>[<n>]` for its n-th part.
 */
export interface FieldControl {
  /**
   * Several inputs under one legend (`fieldset`) instead of one input under a `label`. Radios of one name are a
   * `radiogroup`; a disabled group is disabled by its fieldset.
   */
  groupRole(property: Property): 'none' | 'group' | 'radiogroup';
  /** The label stands behind the control, as beside a box to tick. */
  labelFollows?: boolean;
  render(property: Property, context: ControlContext): Html;
}
