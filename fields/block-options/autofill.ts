import type { OptionProblem } from '../field-type.ts';
import type { Property } from '../property.ts';
import { canonicalTypeName } from '../type-names.ts';
import { enumProblems } from './option-checks.ts';

/**
 * What a field may ask a visitor about themselves, so that browsers offer to fill it in: `off`, and the autofill field names of HTML
 * (HTML Standard, section 4.10.18.7) for which WCAG 2.2 has a purpose (1.3.5, section 7), without payment cards and passwords.
 */
export const AUTOFILL_NAMES: readonly string[] = [
  'off',
  'name',
  ...['honorific-prefix', 'given-name', 'additional-name', 'family-name', 'honorific-suffix', 'nickname'],
  ...['organization', 'organization-title', 'username'],
  ...['street-address', 'address-line1', 'address-line2', 'address-line3'],
  ...['address-level1', 'address-level2', 'address-level3', 'address-level4'],
  ...['postal-code', 'country', 'country-name'],
  ...['bday', 'bday-day', 'bday-month', 'bday-year', 'sex', 'language'],
  ...['email', 'tel', 'url', 'photo', 'impp'],
];

/** Types whose controls browsers can fill in. */
const FILLABLE_TYPES = ['text', 'email', 'url', 'phone_number', 'select', 'date'];

/** The problem of a field whose `autocomplete` is not known. */
export function autofillProblems(property: Property): OptionProblem[] {
  return isFillable(property) ? enumProblems(property, 'autocomplete', AUTOFILL_NAMES) : [];
}

/** The `autocomplete` of a field's control; null if the form does not say. */
export function autofillName(property: Property): string | null {
  const { autocomplete: name } = property;
  return isFillable(property) && typeof name === 'string' && AUTOFILL_NAMES.includes(name) ? name : null;
}

function isFillable({ type }: Property): boolean {
  return FILLABLE_TYPES.includes(canonicalTypeName(type));
}
