import { isRemoved } from './answer-retention.ts';
import { readAnswer } from './compile-answers.ts';
import type { CompiledField } from './compile-field.ts';
import { isBlank, stringList } from './options.ts';
import { type Answers, isJsonObject, type JsonObject, type JsonValue, ownMember } from './property.ts';
import { placesIn, rankedNames } from './ranking-places.ts';
import { type Entry, entriesOf, questionsOf } from './repeated-questions.ts';

/** Types whose controls show only what can be chosen or is asked. */
const CHOSEN = ['select', 'multi_select', 'checkbox', 'rating', 'scale', 'matrix', 'ranking', 'repeat'];

/**
 * The former answers of an edited submission that its page could not show, at least in part, because types or options have
 * changed since, and that were left as shown: whoever edits other answers does not mean to remove them. A box whose answer was
 * removed stays so unless it is ticked.
 */
export function unseenAnswers(fields: readonly CompiledField[], before: Answers, now: Answers): Answers {
  const unseen = fields.filter((field) => {
    const [former, next] = [ownMember(before, field.id), ownMember(now, field.id)];
    return former !== undefined && !isBlank(former) && isLeftUnseen(field, former, next);
  });
  const removed = fields.filter(({ id }) => ownMember(now, id) === false && isRemoved(before, id));
  return {
    ...Object.fromEntries([...unseen, ...removed].map(({ id }) => [id, before[id] ?? null])),
    ...unaskedAnswers(fields, before, now),
  };
}

/** The entries of repeated questions; unchanged ones keep their answers to questions that are no longer asked. */
export function unaskedAnswers(fields: readonly CompiledField[], before: Answers, now: Answers): Answers {
  const entries = fields
    .filter(({ type }) => type.name === 'repeat')
    .flatMap((field) => withUnasked(field, entriesOf(before[field.id]), entriesOf(now[field.id])));
  return Object.fromEntries(entries);
}

/**
 * Matrices with the answers to rows that the form no longer has, where they were sent as they are: whoever edits other answers does not mean
 * to remove them.
 * @param now the answers as the form takes them, without such rows
 */
export function withGoneRows(
  fields: readonly CompiledField[],
  before: Answers,
  { sent, now }: { sent: Answers; now: Answers },
): Answers {
  const kept = fields
    .filter(({ type }) => type.name === 'matrix')
    .flatMap(({ id, property }) => {
      const [former, given, rows] = [before, sent, now].map((answers) => rowsOf(ownMember(answers, id)));
      const present = new Set(stringList(property.rows));
      const gone = Object.entries(former ?? {}).filter(
        ([row, column]) => !present.has(row) && column === ownMember(given ?? {}, row),
      );
      return gone.length > 0 ? [[id, { ...Object.fromEntries(gone), ...rows }]] : [];
    });
  return Object.fromEntries(kept);
}

function rowsOf(answer: JsonValue | undefined): JsonObject {
  return answer !== undefined && isJsonObject(answer) ? answer : {};
}

/** An entry is unchanged if it has the same answers at the same place. */
function withUnasked(
  { id, property }: CompiledField,
  before: readonly Entry[] | null,
  now: readonly Entry[] | null,
): [id: string, entries: Entry[]][] {
  if (before === null || now === null) return [];
  const asked = new Set(questionsOf(property).map((question) => question.id));
  const askedOf = (entry: Entry) => JSON.stringify([...asked].map((question) => entry[question] ?? null));
  const entries = now.map((entry, place) => {
    const former = before[place];
    if (former === undefined || askedOf(former) !== askedOf(entry)) return entry;
    const unasked = Object.entries(former).filter(([question]) => !asked.has(question));
    return { ...Object.fromEntries(unasked), ...entry };
  });
  return [[id, entries]];
}

/** Whether the page could not show all of the former answer, and sent what it showed unchanged. */
function isLeftUnseen(field: CompiledField, former: JsonValue, next: JsonValue | undefined): boolean {
  const { name } = field.type;
  if (!CHOSEN.includes(name)) return false;
  // An unticked box may simply not have been looked at.
  const isOpen = next === undefined || next === false;
  if (name === 'ranking')
    return isOpen && placesIn(rankedNames(field.property), former).every((place) => place === '');
  const parts = partsOf(name, former);
  const shown = parts.filter((part) => readAnswer(field, part) !== undefined);
  return shown.length < parts.length && areSame(shown, isOpen ? [] : partsOf(name, next));
}

/** In any order, because a page sends choices in the order of the form. */
function areSame(shown: readonly JsonValue[], sent: readonly JsonValue[]): boolean {
  const texts = new Set(sent.map((part) => JSON.stringify(part)));
  return shown.length === sent.length && shown.every((part) => texts.has(JSON.stringify(part)));
}

/** The parts that the control shows separately. */
function partsOf(typeName: string, answer: JsonValue): JsonValue[] {
  if (typeName === 'multi_select' || typeName === 'repeat') return [answer].flat().map((item) => [item]);
  if (typeName !== 'matrix' || !isJsonObject(answer)) return [answer];
  return Object.entries(answer).map(([row, column]) => ({ [row]: column as JsonValue }));
}
