import { isOn } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { entryName } from '../../fields/repeated-questions.ts';
import { canonicalTypeName, isLayoutBlock } from '../../fields/type-names.ts';
import type { Form } from '../api/queries.ts';

/** The fields of a form, hidden ones too. */
export function questionsOf(form: Form): Property[] {
  const blocks = form.properties as unknown as Property[];
  return blocks.filter(({ type }) => !isLayoutBlock(type));
}

/** What nobody can write into an address or a plain form. */
export function isFillable({ type }: Property): boolean {
  return !['files', 'signature', 'payment', 'computed', 'unknown'].includes(canonicalTypeName(type));
}

/** What one text fills in, such as the cell of a table: neither rows nor places, entries or the two days of a range. */
export function isFilledByText(question: Property): boolean {
  const type = canonicalTypeName(question.type);
  if (type === 'date') return !isOn(question.date_range);
  return isFillable(question) && !['matrix', 'ranking', 'repeat'].includes(type);
}

/** What an entry of repeated questions is called where nothing else says which they are: `Guests: Person 1`. */
export function entryTitle(property: Property, index: number): string {
  const entry = entryName(property);
  return `${property.name === entry ? '' : `${property.name}: `}${entry} ${index + 1}`;
}
