import { isOn } from '../../fields/block-options/options.ts';
import type { Property } from '../../fields/property.ts';
import { entryName } from '../../fields/repeated-questions.ts';
import { canonicalTypeName, isLayoutBlock } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';

/** The fields of a form, including hidden ones. */
export function questionsOf(form: Form): Property[] {
  const blocks = form.properties as unknown as Property[];
  return blocks.filter(({ type }) => !isLayoutBlock(type));
}

/** Whether an address or a plain form can fill it in. */
export function isPrefillable({ type }: Property): boolean {
  return !['files', 'signature', 'payment', 'computed', 'unknown'].includes(canonicalTypeName(type));
}

/**
 * Whether a single text, such as a table's cell, can fill it in: not matrices, rankings, repeated questions or ranges of days.
 */
export function isFilledByText(question: Property): boolean {
  const type = canonicalTypeName(question.type);
  if (type === 'date') return !isOn(question.date_range);
  return isPrefillable(question) && !['matrix', 'ranking', 'repeat'].includes(type);
}

/** The title of an entry where nothing else names its field: `Guests: Person 1`. */
export function entryTitle(property: Property, index: number): string {
  const entry = entryName(property);
  return `${property.name === entry ? '' : `${property.name}: `}${entry} ${index + 1}`;
}
