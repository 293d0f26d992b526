import { isOn, stringList } from '../../fields/options.ts';
import type { Property } from '../../fields/property.ts';
import { entryLimits, questionsOf } from '../../fields/repeated-questions.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { entryTitle } from './questions.ts';

/** Values by the names of parameters; lists stand for a parameter several times. */
export type Prefill = Readonly<Record<string, string | readonly string[]>>;

/** Entries of repeated questions that a link offers to fill in. */
const PREFILLED_ENTRIES = 2;

/** The link with its values; those that are empty are left out. */
export function prefilledLink(link: string, values: Prefill): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of [value].flat()) if (one !== '') parameters.append(name, one);
  }
  return parameters.size > 0 ? `${link}?${parameters}` : link;
}

/** A parameter with what it is about, and the question it answers. */
type Parameter = [name: string, label: string, question: Property];

/**
 * The parameters of a field: rows of a matrix and ends of a range have their own, and so have repeated questions for each of their
 * first entries.
 */
export function parametersOf(question: Property): Parameter[] {
  const { id, name } = question;
  const type = canonicalTypeName(question.type);
  if (type === 'matrix')
    return stringList(question.rows).map((row, index) => [`${id}[${index}]`, `${name}: ${row}`, question]);
  if (type === 'date' && isOn(question.date_range))
    return [
      [`${id}[0]`, `${name}: from`, question],
      [`${id}[1]`, `${name}: to`, question],
    ];
  if (type === 'repeat') return firstEntries(question, PREFILLED_ENTRIES).flat();
  return [[id, name, question]];
}

/** The parameters of repeated questions, entry by entry, as many as there may be. */
function firstEntries(property: Property, most: number): Parameter[][] {
  const count = Math.min(most, entryLimits(property).max);
  return Array.from({ length: count }, (_, index) =>
    questionsOf(property).flatMap((question) => {
      const { id, name } = question;
      const label = `${entryTitle(property, index)}: ${name}`;
      // What asks it is hidden as a whole.
      const asked = { ...question, hidden: property.hidden };
      return [[`${property.id}[${index}][${id}]`, label, asked] as Parameter];
    }),
  );
}
