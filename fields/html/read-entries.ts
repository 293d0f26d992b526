import { type Answers, emptyAnswers, type JsonValue, type Property } from '../property.ts';
import { entryLimits, isBlankEntry, questionsOf } from '../repeated-questions.ts';
import { canonicalTypeName } from '../type-names.ts';
import { type Posted, type ReadPostOptions, readAnswer } from './read-post.ts';

/**
 * Reads the entries of repeated questions, whose inputs are named `<field id>[<number>][<question id>]`. Our pages list the
 * numbers in order as `<field id>[]`; forms on other sites, or prefilling addresses, count from 0. A blank entry keeps its place,
 * so that problems of the others have the numbers that the page shows. Without its script a page has the buttons `<field
 * id>[add]` and `<field id>[remove]`, which names an entry.
 */
export function readEntries(
  property: Property,
  posted: Posted,
  name: string,
  options: ReadPostOptions,
): JsonValue | undefined {
  const listed = posted.getAll(`${name}[]`).filter((number) => typeof number === 'string');
  const removed = new Set(posted.getAll(`${name}[remove]`));
  // One more than allowed, so that the rules refuse it.
  const most = entryLimits(property).max + 1;
  const numbers = listed.length > 0 ? listed : Array.from({ length: most }, (_, index) => `${index}`);
  const entries = numbers
    .filter((number) => !removed.has(number))
    .slice(0, most)
    .map((number) => readEntry(property, posted, `${name}[${number}]`, options));
  const isAsked = posted.getAll(`${name}[add]`).length > 0;
  if (isAsked) return [...entries, {}];
  // Without listed numbers no page shows the entries, so blank ones need not keep their place.
  const kept = listed.length > 0 ? entries : entries.filter((entry) => !isBlankEntry(entry));
  if (!kept.every(isBlankEntry)) return kept;
  // A list emptied by the button stays empty.
  return removed.size > 0 ? [] : undefined;
}

function readEntry(property: Property, posted: Posted, name: string, options: ReadPostOptions): Answers {
  const entry = emptyAnswers();
  for (const question of questionsOf(property)) {
    const typeName = canonicalTypeName(question.type);
    const answer = readAnswer(question, typeName, posted, `${name}[${question.id}]`, options);
    if (answer !== undefined) entry[question.id] = answer;
  }
  return entry;
}
