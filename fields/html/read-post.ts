import { optionNames } from '../choices.ts';
import { parseNumber } from '../numbers.ts';
import { isOn, stringList } from '../options.ts';
import { type Answers, emptyAnswers, type JsonValue, type Property } from '../property.ts';
import { canonicalTypeName, isLayoutBlock } from '../type-names.ts';

/** A posted form: `FormData` in the browser, the same shape on the server. Files are not texts and are left out. */
export interface Posted {
  getAll(name: string): unknown[];
}

type ReadEntries = (
  property: Property,
  posted: Posted,
  name: string,
  options: Pick<ReadPostOptions, 'typedNumber'>,
) => JsonValue | undefined;

export interface ReadPostOptions {
  /**
   * The post holds every input of the form, as our own pages send it, so a box that is missing was left empty.
   * A form on somebody else's page may ask for less.
   */
  isComplete: boolean;
  /** Reads what was typed as a number on a page of ours, null for what is none; other pages write numbers as the API. */
  typedNumber?: ((typed: string) => string | null) | undefined;
  /** Reads repeated questions, see read-entries.ts; without it they have no answers. */
  readEntries?: ReadEntries | undefined;
  /** Another name an input may have, such as the name of its field; used when nothing came under the id. */
  otherName?(property: Property): string | undefined;
}

/**
 * The answers a posted form gives, as JSON clients would send them: unanswered fields are left out, nothing is judged;
 * but a number that may be read in two ways comes as a list, which is none.
 * Inputs are named `<field id>`; parts of a matrix, a ranking and a range of dates `<field id>[<n>]`; lists, and a range, may be
 * `<field id>[]`, uploads that are no longer wanted `<field id>[remove]`.
 */
export function readPost(properties: readonly Property[], posted: Posted, options: ReadPostOptions): Answers {
  const answers = emptyAnswers();
  for (const property of properties) {
    if (isLayoutBlock(property.type)) continue;
    const typeName = canonicalTypeName(property.type);
    let answer = readAnswer(property, typeName, posted, property.id, options);
    const name = options.otherName?.(property);
    if (answer === undefined && name !== undefined)
      answer = readAnswer(property, typeName, posted, name, options);
    if (answer === undefined && options.isComplete && typeName === 'checkbox') answer = false;
    if (answer !== undefined) answers[property.id] = answer;
  }
  return answers;
}

/** One answer, from the inputs of this name. */
export function readAnswer(
  property: Property,
  typeName: string,
  posted: Posted,
  name: string,
  options: Pick<ReadPostOptions, 'typedNumber' | 'readEntries'>,
): JsonValue | undefined {
  const texts = textsOf(posted, name);
  const text = nonEmpty(texts[0]);
  switch (typeName) {
    case 'multi_select':
      return readList(posted, name);
    case 'files':
      // A file chosen anew comes behind the one it replaces.
      return readFiles(posted, name)?.slice(isOn(property.multiple) ? 0 : -1);
    case 'signature':
      return readFiles(posted, name)?.at(-1);
    case 'matrix':
      return readRows(stringList(property.rows), posted, name);
    case 'ranking':
      // A place for each option, or all of them in their order.
      return readRows(optionNames(property, 'ranking'), posted, name) ?? readList(posted, name);
    case 'date':
      return isOn(property.date_range) ? readRange(posted, name) : readDate(text);
    case 'checkbox':
      return texts.length > 0 ? readBox(texts) : undefined;
    case 'select':
      return readChoice(property, texts);
    case 'number':
    case 'rating':
    case 'scale':
    case 'slider':
      return readNumber(text, typeName, options.typedNumber);
    case 'repeat':
      return options.readEntries?.(property, posted, name, options);
    default:
      return text;
  }
}

/** Choices of a scale are sent as they stand in the page, which is as the API writes them. */
function readNumber(
  text: string | undefined,
  typeName: string,
  typedNumber: ReadPostOptions['typedNumber'],
): JsonValue | undefined {
  const isChoice = typeName !== 'number' && parseNumber(text ?? '') !== undefined;
  return text === undefined || typedNumber === undefined || isChoice ? text : (typedNumber(text) ?? [text]);
}

/** What somebody typed beside the options counts when they typed anything. */
function readChoice(property: Property, all: readonly string[]): JsonValue | undefined {
  const texts = all.filter((text) => text !== '');
  const names = new Set(optionNames(property, 'select'));
  return isOn(property.allow_creation) ? (texts.find((text) => !names.has(text)) ?? texts[0]) : texts[0];
}

function readList(posted: Posted, name: string): string[] | undefined {
  const texts = [...textsOf(posted, name), ...textsOf(posted, `${name}[]`)].filter((text) => text !== '');
  // One's own option may be one that is ticked as well.
  return texts.length > 0 ? [...new Set(texts)] : undefined;
}

/** References of uploads but those to drop. A name typed as signature comes behind the drawing it replaces. */
function readFiles(posted: Posted, name: string): string[] | undefined {
  const dropped = new Set(textsOf(posted, `${name}[remove]`));
  const list = readList(posted, name)?.filter((reference) => !dropped.has(reference));
  return list?.length === 0 ? undefined : list;
}

function readRows(rows: readonly string[], posted: Posted, name: string): JsonValue | undefined {
  const answer: { [row: string]: JsonValue } = Object.create(null);
  const numbers = new Set(rows.map((_, index) => String(index)));
  rows.forEach((row, index) => {
    // the row "2" has no input of its own name: that is the third row's
    const named = numbers.has(row) ? undefined : textsOf(posted, `${name}[${row}]`)[0];
    const column = nonEmpty(textsOf(posted, `${name}[${index}]`)[0] ?? named);
    if (column !== undefined) answer[row] = column;
  });
  return Object.keys(answer).length > 0 ? answer : undefined;
}

function readRange(posted: Posted, name: string): JsonValue | undefined {
  const parts = [0, 1].map((part) => textsOf(posted, `${name}[${part}]`)[0]);
  const texts = parts.some(Boolean) ? parts : [...textsOf(posted, name), ...textsOf(posted, `${name}[]`)];
  const [from = '', to = '', ...more] = texts.map((text) => readDate(text) ?? '');
  return from === '' && to === '' ? undefined : [from, to, ...more];
}

/** Browsers write `2026-12-31T13:05`; stored is `2026-12-31 13:05`. */
function readDate(text: string | undefined): string | undefined {
  return nonEmpty(text)?.replace(/^(\d{4,}-\d\d-\d\d)T([\d:.]+)$/, '$1 $2');
}

/** An unticked box beside a hidden `0` sends only that. */
function readBox(texts: string[]): JsonValue {
  const last = texts.at(-1) ?? '';
  return last === 'on' || last === '' ? true : last;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Line breaks come as CRLF from browsers (HTML, form submission); stored are the ones that were typed. */
function textsOf(posted: Posted, name: string): string[] {
  return posted
    .getAll(name)
    .filter((value) => typeof value === 'string')
    .map((text) => text.replaceAll('\r\n', '\n'));
}
