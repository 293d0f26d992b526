import { type Answers, emptyAnswers, type JsonValue, type Property } from '../property.ts';
import { entryLimits, isBlankEntry, questionsOf } from '../repeated-questions.ts';
import { canonicalTypeName } from '../type-names.ts';
import { type Posted, type ReadPostOptions, readAnswer } from './read-post.ts';

/**
 * The entries of repeated questions: their inputs are named `<field id>[<number>][<question id>]`. Our pages list the numbers, in
 * their order, as `<field id>[]`; a form on somebody else's page, or an address that fills one in, counts from 0. An entry nobody
 * has filled in keeps its place, so that what is wrong with the others is told by the numbers that the page shows. The buttons of a
 * page without its script are `<field id>[add]` and `<field id>[remove]`, which names an entry.
 */
export function readEntries(
  property: Property,
  posted: Posted,
  name: string,
  options: Pick<ReadPostOptions, 'typedNumber'>,
): JsonValue | undefined {
  const listed = posted.getAll(`${name}[]`).filter((number) => typeof number === 'string');
  const removed = new Set(posted.getAll(`${name}[remove]`));
  // One more than there may be, for the rules to refuse.
  const most = entryLimits(property).max + 1;
  const numbers = listed.length > 0 ? listed : Array.from({ length: most }, (_, index) => `${index}`);
  const entries = numbers
    .filter((number) => !removed.has(number))
    .slice(0, most)
    .map((number) => readEntry(property, posted, `${name}[${number}]`, options));
  const isAsked = posted.getAll(`${name}[add]`).length > 0;
  if (isAsked) return [...entries, {}];
  // Where nobody listed them, nothing is shown whose place a blank one would have to keep.
  const kept = listed.length > 0 ? entries : entries.filter((entry) => !isBlankEntry(entry));
  if (!kept.every(isBlankEntry)) return kept;
  // Emptied by a button, it stays empty.
  return removed.size > 0 ? [] : undefined;
}

function readEntry(
  property: Property,
  posted: Posted,
  name: string,
  options: Pick<ReadPostOptions, 'typedNumber'>,
): Answers {
  const entry = emptyAnswers();
  for (const question of questionsOf(property)) {
    const typeName = canonicalTypeName(question.type);
    const answer = readAnswer(question, typeName, posted, `${name}[${question.id}]`, options);
    if (answer !== undefined) entry[question.id] = answer;
  }
  return entry;
}
