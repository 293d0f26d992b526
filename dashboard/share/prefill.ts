import { isOn, stringList } from '../../fields/block-options/options.ts';
import { plainPartName } from '../../fields/html/part-names.ts';
import type { Property } from '../../fields/property.ts';
import { entryLimits, questionsOf } from '../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { entryTitle } from './questions.ts';

/** Values by parameter name; a list repeats its parameter. */
export type Prefill = Readonly<Record<string, string | readonly string[]>>;

/** Entries of repeated questions that a link can fill in. */
const PREFILLED_ENTRIES = 2;

/** The link with its values, without empty ones. */
export function prefilledLink(link: string, values: Prefill): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value].flat()) if (one !== '') parameters.append(name, one);
  }
  return parameters.size > 0 ? `${link}?${parameters}` : link;
}

/** A parameter with its label and the question it fills in. */
type Parameter = [name: string, label: string, question: Property];

/** The parameters of a field: one for each row of a matrix, end of a range, or question in each of the first entries. */
export function parametersOf(question: Property): Parameter[] {
  const { id, name } = question;
  const type = canonicalTypeName(question.type);
  if (type === 'matrix')
    return stringList(question.rows).map((row) => [plainPartName(id, row), `${name}: ${row}`, question]);
  if (type === 'date' && isOn(question.date_range))
    return [
      [`${id}[0]`, `${name}: from`, question],
      [`${id}[1]`, `${name}: to`, question],
    ];
  if (type === 'repeat') return firstEntries(question, PREFILLED_ENTRIES).flat();
  return [[id, name, question]];
}

/** The parameters of repeated questions, entry by entry, up to a number. */
function firstEntries(property: Property, most: number): Parameter[][] {
  const count = Math.min(most, entryLimits(property).max);
  return Array.from({ length: count }, (_, index) =>
    questionsOf(property).flatMap((question) => {
      const { id, name } = question;
      const label = `${entryTitle(property, index)}: ${name}`;
      // A question within entries is hidden with its field.
      const asked = { ...question, hidden: property.hidden };
      return [[`${property.id}[${index}][${id}]`, label, asked] as Parameter];
    }),
  );
}
