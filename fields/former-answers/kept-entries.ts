import { readAnswer } from '../compile-answers.ts';
import type { CompiledField } from '../compile-field.ts';
import type { JsonValue } from '../property.ts';
import { type Entry, entriesOf, MAX_ENTRIES, questionsOf } from '../repeated-questions.ts';
import { CHOICE_TYPES, canonicalTypeName } from '../type-names.ts';

/** Types of questions whose controls show only what can be chosen. */
const CHOSEN = [...CHOICE_TYPES, 'checkbox'];

/** The part of an entry that somebody was shown, or was asked for. */
type PartOf = (field: CompiledField, entry: Entry) => Entry;

/**
 * The entries of an edited answer. Those that were left as they were keep their other part, which whoever edited them could not see. So
 * do, in their places, entries that have nothing but such a part.
 * @param now the entries as the form takes them
 */
export function keptEntries(
  field: CompiledField,
  before: readonly Entry[],
  now: readonly Entry[],
  partOf: PartOf,
): Entry[] {
  const parts = before.map((entry) => partOf(field, entry));
  const former = parts.map(textOfEntry);
  const given = now.map((entry) => textOfEntry(partOf(field, entry)));
  const left = countLeft(former, given);
  const isUnseen = before.map(
    (entry, i) => former[i] === NOTHING && Object.keys(entry).length > Object.keys(parts[i] as Entry).length,
  );
  const kept: Entry[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < now.length) {
    const [old, next] = [before[i], now[j]];
    const step = nextStep({ former, given, left, isUnseen }, i, j);
    if (step === 'left') kept.push({ ...next, ...old });
    else if (step === 'unseen') kept.push(old as Entry);
    else if (step !== 'removed') kept.push(next as Entry);
    if (step !== 'added') i++;
    if (step !== 'unseen' && step !== 'removed') j++;
  }
  return kept;
}

interface Comparison {
  /** The entries before and now, as texts. */
  former: readonly string[];
  given: readonly string[];
  /** See `countLeft`. */
  left: readonly number[][];
  /** By former entry: it has nothing but what could not be seen. */
  isUnseen: readonly boolean[];
}

/** What became of a former entry: as many as possible were left as they were, and what stands between such was changed one by one. */
function nextStep(
  { former, given, left, isUnseen }: Comparison,
  i: number,
  j: number,
): 'left' | 'unseen' | 'removed' | 'added' | 'changed' {
  const best = left[i]?.[j];
  if (i === former.length) return 'added';
  if (former[i] === given[j]) return 'left';
  if (left[i + 1]?.[j] === best && isUnseen[i]) return 'unseen';
  if (j === given.length) return 'removed';
  if (left[i + 1]?.[j + 1] === best) return 'changed';
  return left[i]?.[j + 1] === best ? 'added' : 'removed';
}

/** How many entries can have been left as they were, from each former and each given one on. */
function countLeft(former: readonly string[], given: readonly string[]): number[][] {
  const counts = Array.from({ length: former.length + 1 }, () => new Array<number>(given.length + 1).fill(0));
  const at = (i: number, j: number) => counts[i]?.[j] ?? 0;
  for (let i = former.length - 1; i >= 0; i--)
    for (let j = given.length - 1; j >= 0; j--)
      (counts[i] as number[])[j] =
        former[i] === given[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  return counts;
}

const NOTHING = '{}';

/** For comparing: choices in any order, as a page sends them in that of the form, and a box that is not ticked like none. */
function textOfEntry(entry: Entry): string {
  const answers = Object.entries(entry)
    .filter(([, answer]) => answer !== false && answer !== null)
    .map(([id, answer]) => [id, Array.isArray(answer) ? answer.map(String).sort() : String(answer)])
    .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  return JSON.stringify(Object.fromEntries(answers));
}

/**
 * The entries of an answer that was sent with what is stored of questions that are no longer asked: that stays where it was sent. Null
 * when it was sent without.
 * @param sent the entries that were sent; the form takes what they say
 */
export function entriesAsSent(
  field: CompiledField,
  before: readonly Entry[],
  sent: readonly Entry[],
): Entry[] | null {
  const known = new Set(before.map((entry) => textOfEntry(unaskedPart(field, entry))));
  const isKnown = (part: Entry) => Object.keys(part).length > 0 && known.has(textOfEntry(part));
  if (!sent.some((entry) => isKnown(unaskedPart(field, entry)))) return null;
  return sent.flatMap((entry) => {
    const unasked = unaskedPart(field, entry);
    const [asked] = entriesOf(readAnswer(field, [entry])) ?? [];
    const whole = { ...asked, ...(isKnown(unasked) && unasked) };
    return Object.keys(whole).length > 0 ? [whole] : [];
  });
}

/** Those sent entries that have nothing but what is stored of questions that are no longer asked are blank to the rules. */
export function withoutUnasked(
  field: CompiledField,
  before: readonly Entry[],
  sent: readonly Entry[],
): readonly Entry[] {
  // The rules refuse these, without going through them.
  if (sent.length > MAX_ENTRIES) return sent;
  const known = new Set(before.map(textOfEntry));
  return sent.map((entry) => {
    const isUnasked = Object.keys(askedPart(field, entry)).length === 0 && known.has(textOfEntry(entry));
    return isUnasked ? {} : entry;
  });
}

/** An entry's answers to questions that are asked. */
export const askedPart: PartOf = ({ property }, entry) => {
  const asked = new Set(questionsOf(property).map(({ id }) => id));
  return Object.fromEntries(Object.entries(entry).filter(([id]) => asked.has(id)));
};

function unaskedPart(field: CompiledField, entry: Entry): Entry {
  const asked = askedPart(field, entry);
  return Object.fromEntries(Object.entries(entry).filter(([id]) => !Object.hasOwn(asked, id)));
}

/** Without choices that are none any more. */
export const shownPart: PartOf = (field, entry) => {
  const types = new Map(questionsOf(field.property).map(({ id, type }) => [id, canonicalTypeName(type)]));
  const shown = Object.entries(askedPart(field, entry)).flatMap(([id, answer]) => {
    if (!CHOSEN.includes(types.get(id) ?? '')) return [[id, answer]];
    const isShown = (choice: JsonValue) => readAnswer(field, [{ [id]: choice }]) !== undefined;
    if (!Array.isArray(answer)) return isShown(answer) ? [[id, answer]] : [];
    const choices = answer.filter((choice) => isShown([choice]));
    return choices.length > 0 ? [[id, choices]] : [];
  });
  return Object.fromEntries(shown);
};
