import { isRemoved } from '../block-options/answer-retention.ts';
import { isBlank, stringList } from '../block-options/options.ts';
import { placesIn, rankedNames } from '../choices/ranking-places.ts';
import { readAnswer } from '../compile-answers.ts';
import type { CompiledField } from '../compile-field.ts';
import { type Answers, isJsonObject, type JsonObject, type JsonValue, ownMember } from '../property.ts';
import { type Entry, entriesOf } from '../repeated-questions.ts';
import { askedPart, entriesAsSent, keptEntries, shownPart, withoutUnasked } from './kept-entries.ts';

/** Types whose controls show only what can be chosen or is asked. */
const CHOSEN = ['select', 'multi_select', 'checkbox', 'rating', 'scale', 'matrix', 'ranking', 'repeat'];

/** Those of them in which the options of a form are chosen by name. */
const BY_NAME = ['select', 'multi_select', 'matrix'];

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
    ...unseenRows(fields, before, now),
    ...unseenEntries(fields, before, now),
  };
}

/** Fields of which a page shows these answers in part or not at all: options have changed since, or a ticked box has become a text. */
export function withUnseenChoice(fields: readonly CompiledField[], answers: Answers): CompiledField[] {
  return fields.filter((field) => {
    const [answer, { name }] = [ownMember(answers, field.id), field.type];
    if (answer === undefined || isBlank(answer)) return false;
    if (Array.isArray(answer) && answer.every((part) => part === '')) return true;
    return (
      BY_NAME.includes(name) && partsOf(name, answer).some((part) => readAnswer(field, part) === undefined)
    );
  });
}

/** Matrices with the answers to rows that are gone, or to columns that are gone unless the row has another one now. */
function unseenRows(fields: readonly CompiledField[], before: Answers, now: Answers): Answers {
  const kept = matricesIn(fields).flatMap((field) => {
    const [former, given] = [before, now].map((answers) => rowsOf(ownMember(answers, field.id)));
    const unseen = Object.entries(former ?? {}).filter(
      ([row, column]) => readAnswer(field, { [row]: column as JsonValue }) === undefined,
    );
    return unseen.length > 0 ? [[field.id, { ...Object.fromEntries(unseen), ...given }]] : [];
  });
  return Object.fromEntries(kept);
}

/** The entries of repeated questions, also those that are left where the respondent gave none: nobody is shown what is no longer asked. */
function unseenEntries(fields: readonly CompiledField[], before: Answers, now: Answers): Answers {
  return entriesBy(fields, before, (field, former) =>
    keptEntries(field, former, entriesOf(ownMember(now, field.id)) ?? [], shownPart),
  );
}

/**
 * The entries of repeated questions, with their answers to questions that are no longer asked, unless the whole answer was emptied.
 * @param now the answers as the form takes them
 */
export function unaskedAnswers(
  fields: readonly CompiledField[],
  before: Answers,
  { sent, now }: { sent: Answers; now: Answers },
): Answers {
  return entriesBy(fields, before, (field, former) => {
    const answer = ownMember(sent, field.id);
    if (isBlank(answer)) return [];
    const given = entriesOf(ownMember(now, field.id)) ?? [];
    return (
      entriesAsSent(field, former, entriesOf(answer) ?? []) ?? keptEntries(field, former, given, askedPart)
    );
  });
}

/** What was sent, as the rules are to judge it. */
export function askedAnswers(fields: readonly CompiledField[], before: Answers, sent: Answers): Answers {
  return {
    ...sent,
    ...entriesBy(fields, before, (field, former) =>
      withoutUnasked(field, former, entriesOf(ownMember(sent, field.id)) ?? []),
    ),
  };
}

function entriesBy(
  fields: readonly CompiledField[],
  before: Answers,
  entriesFor: (field: CompiledField, former: Entry[]) => readonly Entry[],
): Answers {
  const found = fields
    .filter(({ type }) => type.name === 'repeat')
    .flatMap((field) => {
      const former = entriesOf(ownMember(before, field.id));
      const entries = former ? entriesFor(field, former) : [];
      return entries.length > 0 ? [[field.id, entries]] : [];
    });
  return Object.fromEntries(found);
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
  const kept = matricesIn(fields).flatMap(({ id, property }) => {
    const [former, given, rows] = [before, sent, now].map((answers) => rowsOf(ownMember(answers, id)));
    const present = new Set(stringList(property.rows));
    const gone = Object.entries(former ?? {}).filter(
      ([row, column]) => !present.has(row) && column === ownMember(given ?? {}, row),
    );
    return gone.length > 0 ? [[id, { ...Object.fromEntries(gone), ...rows }]] : [];
  });
  return Object.fromEntries(kept);
}

function matricesIn(fields: readonly CompiledField[]): CompiledField[] {
  return fields.filter(({ type }) => type.name === 'matrix');
}

function rowsOf(answer: JsonValue | undefined): JsonObject {
  return answer !== undefined && isJsonObject(answer) ? answer : {};
}

/** Whether the page could not show all of the former answer, and sent what it showed unchanged. */
function isLeftUnseen(field: CompiledField, former: JsonValue, next: JsonValue | undefined): boolean {
  const { name } = field.type;
  if (!CHOSEN.includes(name)) return false;
  // See `unseenEntries` and `unseenRows`.
  if ((name === 'repeat' && entriesOf(former)) || (name === 'matrix' && isJsonObject(former))) return false;
  // An unticked box may simply not have been looked at.
  const isOpen = next === undefined || next === false;
  if (name === 'ranking') return isOpen && !isAnyPlaceShown(field, former);
  const parts = partsOf(name, former);
  const shown = parts.filter((part) => readAnswer(field, part) !== undefined);
  return shown.length < parts.length && areSame(shown, isOpen ? [] : partsOf(name, next));
}

/** A place of none of the options is the answer of a matrix. */
function isAnyPlaceShown({ property }: CompiledField, answer: JsonValue): boolean {
  const names = rankedNames(property);
  return placesIn(names, answer).some((place) => names[Number(place) - 1] !== undefined);
}

/** In any order, because a page sends choices in the order of the form. */
function areSame(shown: readonly JsonValue[], sent: readonly JsonValue[]): boolean {
  const texts = new Set(sent.map((part) => JSON.stringify(part)));
  return shown.length === sent.length && shown.every((part) => texts.has(JSON.stringify(part)));
}

/** The parts that the control shows separately. */
function partsOf(typeName: string, answer: JsonValue): JsonValue[] {
  if (typeName === 'multi_select') return [answer].flat().map((item) => [item]);
  if (typeName === 'matrix' && isJsonObject(answer))
    return Object.entries(answer).map(([row, column]) => ({ [row]: column ?? null }));
  return [answer];
}
