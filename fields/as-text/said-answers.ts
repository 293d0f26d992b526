import { isOn, stringList } from '../block-options/options.ts';
import { labelOf, labelsOf } from '../choices/choices.ts';
import { orderOf, placesIn, rankedNames } from '../choices/ranking-places.ts';
import type { Shown } from '../logic/shown.ts';
import { type Answers, isJsonObject, type JsonValue, ownMember, type Property } from '../property.ts';
import { entriesOf, isBlankEntry, questionsOf } from '../repeated-questions.ts';
import { cut, ELLIPSIS } from '../texts/cut.ts';
import { nameWithoutId } from '../texts/name-without-id.ts';
import { plainText } from '../texts/plain-text.ts';
import { canonicalTypeName } from '../type-names.ts';
import { dateText } from './date-text.ts';
import { textOf } from './text-of.ts';
import { readNumber } from './typed-number.ts';

/** Characters of an answer in an owner's text, which may mention it hundreds of times. */
const MAX_MENTIONED = 2_000;
/** Characters of all mentioned answers on one page. */
const MAX_ALL_MENTIONED = 100_000;

/** What is needed to write answers as text. */
export interface Speech {
  language: string;
  yes: string;
  no: string;
  sanitiseHtml(html: string): string;
}

/** The answers of a page; with `states` while it is being filled in. */
type Given = { answers: Answers } & Partial<Pick<Shown, 'states'>> & {
    /** The value of a variable of the form. */
    computed?: ((variableId: string) => JsonValue | undefined) | undefined;
  };

/**
 * Returns a function for the mentions of a page, to be called in their order: it gives an answer's text as a person reads it, or
 * the fallback. The page's script uses the same rules.
 */
export function sayAnswers(
  properties: readonly Property[],
  given: Given,
  speech: Speech,
): (fieldId: string, fallback: string) => string {
  const texts = new Map<string, string>();
  let left = MAX_ALL_MENTIONED;
  return (fieldId, fallback) => {
    const known = texts.get(fieldId);
    const text = known ?? cut(textFor(properties, given, fieldId, speech), MAX_MENTIONED);
    if (known === undefined) texts.set(fieldId, text);
    if (text === '') return fallback;
    if (text.length > left) return ELLIPSIS;
    left -= text.length;
    return text;
  };
}

function textFor(
  properties: readonly Property[],
  { answers, states, computed }: Given,
  fieldId: string,
  speech: Speech,
): string {
  const property = properties.find(({ id }) => id === fieldId);
  if (property === undefined) {
    const value = computed?.(fieldId) ?? null;
    return typeof value === 'number' ? readNumber(textOf(value), speech.language) : textOf(value);
  }
  const answer = ownMember(answers, fieldId);
  const isOpenBox = states !== undefined && canonicalTypeName(property.type) === 'checkbox' && !isOn(answer);
  // An unticked box reads the same before and after the page has sent it as false.
  if (isOpenBox) return states.get(fieldId)?.hidden ? '' : speech.no;
  // null stands for a removed answer.
  return answer === undefined || answer === null ? '' : saidAnswer(property, answer, speech);
}

/** An answer in words, in the language of the page; '' if there are none. */
function saidAnswer(property: Property, answer: JsonValue, speech: Speech): string {
  switch (canonicalTypeName(property.type)) {
    case 'checkbox':
      return isOn(answer) ? speech.yes : speech.no;
    case 'number':
    case 'rating':
    case 'scale':
    case 'slider':
      return numbersSaid(answer, speech.language);
    case 'rich_text':
      return wordsOf(textOf(answer), speech.sanitiseHtml);
    case 'date':
      return dateText(answer, speech.language);
    case 'files':
    case 'signature':
      return textsOf(answer).map(nameWithoutId).filter(isNoDrawing).join(', ');
    case 'matrix':
      return isJsonObject(answer) ? rowsOf(property, answer as Answers).join(' | ') : textOf(answer);
    case 'repeat':
      return entriesSaid(property, answer, speech);
    default:
      return labelsOf(property, rankedBy(property, answer) ?? textsOf(answer));
  }
}

/** Numbers as a language writes them. */
export function numbersSaid(answer: JsonValue, language: string): string {
  return readNumber(textsOf(answer).join(', '), language);
}

/** The answers of each entry, without the questions. */
function entriesSaid(property: Property, answer: JsonValue, speech: Speech): string {
  const questions = questionsOf(property);
  const entries = (entriesOf(answer) ?? []).filter((entry) => !isBlankEntry(entry));
  const said = entries.map((entry) =>
    questions
      .map((question) => saidAnswer(question, ownMember(entry, question.id) ?? '', speech))
      .filter(Boolean),
  );
  return said.map((texts) => texts.join(', ')).join(' | ');
}

/** The words of a rich text, in one line. */
export function wordsOf(markup: string, sanitiseHtml: Speech['sanitiseHtml']): string {
  return plainText(sanitiseHtml(markup)).replace(/\s+/g, ' ');
}

/** The order of a page's ranks, empty if they make none; null for any other answer. */
function rankedBy(property: Property, answer: JsonValue): string[] | null {
  if (canonicalTypeName(property.type) !== 'ranking' || !isJsonObject(answer)) return null;
  const names = rankedNames(property);
  return orderOf(names, placesIn(names, answer)) ?? [];
}

function rowsOf(property: Property, answer: Answers): string[] {
  return stringList(property.rows).flatMap((row) => {
    const column = ownMember(answer, row);
    return column === undefined ? [] : [`${labelOf(property, row)}: ${labelOf(property, textOf(column))}`];
  });
}

function textsOf(answer: JsonValue): string[] {
  return (Array.isArray(answer) ? answer : [answer]).map(textOf).filter((text) => text !== '');
}

function isNoDrawing(text: string): boolean {
  return !text.startsWith('data:');
}
