import { isOn, stringList } from '../block-options/options.ts';
import { optionNames } from '../choices/choices.ts';
import { type Answers, emptyAnswers, type JsonValue, type Property } from '../property.ts';
import { canonicalTypeName, isLayoutBlock } from '../type-names.ts';
import { partName } from './part-names.ts';

/** A posted form: `FormData` in the browser, the same shape on the server. Files are left out, since they are not text. */
export interface Posted {
  getAll(name: string): unknown[];
}

/**
 * What a ticked box of our pages sends: of private use (Unicode), so that it is told from what people type or options are called where
 * the box is another field by now. Other pages send `on`.
 */
export const TICKED = '\ue000';

type ReadEntries = (
  property: Property,
  posted: Posted,
  name: string,
  options: ReadPostOptions,
) => JsonValue | undefined;

export interface ReadPostOptions {
  /**
   * The post holds every input of the form, as our own pages send it, so a missing box was left empty. A form on another site may
   * have fewer.
   */
  isComplete: boolean;
  /** Reads a number typed on our page, null if it is none; other pages write numbers as the API does. */
  typedNumber?: ((typed: string) => string | null) | undefined;
  /** Reads repeated questions, see read-entries.ts; without it they have no answers. */
  readEntries?: ReadEntries | undefined;
  /**
   * Reads what came under this name from a page that asks the field as another type did; undefined for nothing.
   * @param answer what the present type reads
   */
  readFormer?(
    property: Property,
    typeName: string,
    name: string,
    answer: JsonValue | undefined,
  ): JsonValue | undefined;
  /** A box with an empty value is ticked, as on pages of others. On ours it is the empty text that a field took before it became a box. */
  hasEmptyBoxes?: boolean;
  /** Another name an input may have, such as its field's name; used if nothing came under the id. */
  otherName?(property: Property): string | undefined;
}

/**
 * The answers of a posted form as JSON clients would send them, without unanswered fields and unchecked. A typed number that is
 * unclear comes as a list, which the rules refuse. Inputs are named `<field id>`; parts of a matrix
 * or a ranking as `partName` says, or `[<n>]`, as in a range of dates, or `[<row>]`. Lists and ranges may be `<field id>[]`, and uploads to drop `<field id>[remove]`.
 */
export function readPost(properties: readonly Property[], posted: Posted, options: ReadPostOptions): Answers {
  const answers = emptyAnswers();
  for (const property of properties) {
    if (isLayoutBlock(property.type)) continue;
    const typeName = canonicalTypeName(property.type);
    const name = options.otherName?.(property);
    let answer = readAnswer(property, typeName, posted, property.id, options);
    if (name !== undefined) answer ??= readAnswer(property, typeName, posted, name, options);
    if (options.isComplete && typeName === 'checkbox') answer ??= false;
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
  options: ReadPostOptions,
): JsonValue | undefined {
  const answer = readPresent(property, typeName, posted, name, options);
  return options.readFormer?.(property, typeName, name, answer) ?? answer;
}

function readPresent(
  property: Property,
  typeName: string,
  posted: Posted,
  name: string,
  options: ReadPostOptions,
): JsonValue | undefined {
  const texts = textsOf(posted, name);
  const text = nonEmpty(texts[0]);
  switch (typeName) {
    case 'multi_select':
      return readList(posted, name);
    case 'files':
      // A new file comes after the one it replaces.
      return readFiles(posted, name)?.slice(isOn(property.multiple) ? 0 : -1);
    case 'signature':
      return readFiles(posted, name)?.at(-1);
    case 'matrix':
      return readRows(stringList(property.rows), posted, name);
    case 'ranking':
      // A rank for each option, or all options in order.
      return readRows(optionNames(property, 'ranking'), posted, name) ?? readList(posted, name);
    case 'date':
      return isOn(property.date_range) ? readRange(posted, name) : readDate(text);
    case 'checkbox':
      return readBox(texts.at(-1), options);
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

/** Which inputs a page has for a field: whether those of its name can have these values, and whether there are some for its parts. */
export function inputsOf(
  property: Property,
  typeName: string,
): { canHave(texts: readonly string[]): boolean; hasParts: boolean } {
  const atMost = (most: number) => (texts: readonly string[]) => texts.length <= most;
  switch (typeName) {
    case 'multi_select':
    case 'files':
    case 'signature':
      return { canHave: () => true, hasParts: false };
    case 'ranking':
      return { canHave: () => true, hasParts: true };
    case 'matrix':
    case 'repeat':
      return { canHave: atMost(0), hasParts: true };
    case 'date':
      return { canHave: atMost(1), hasParts: isOn(property.date_range) };
    case 'select':
      return { canHave: isOn(property.allow_creation) ? oneOfEach(property) : atMost(1), hasParts: false };
    default:
      return { canHave: atMost(1), hasParts: false };
  }
}

/** One of the options, and one of one's own beside them. */
function oneOfEach(property: Property): (texts: readonly string[]) => boolean {
  const names = new Set(optionNames(property, 'select'));
  return (texts) => {
    const different = [...new Set(texts)];
    const own = different.filter((text) => !names.has(text));
    return own.length <= 1 && different.length - own.length <= 1;
  };
}

/** Choices of a scale are sent as the page writes them, which is as the API does; `1.000` is typed. */
function readNumber(
  text: string | undefined,
  typeName: string,
  typedNumber: ReadPostOptions['typedNumber'],
): JsonValue | undefined {
  const isChoice = typeName !== 'number' && String(Number(text)) === text;
  return text === undefined || typedNumber === undefined || isChoice ? text : (typedNumber(text) ?? [text]);
}

/** Text typed beside the options counts, if there is any. */
function readChoice(property: Property, all: readonly string[]): JsonValue | undefined {
  const texts = all.filter((text) => text !== '');
  const names = new Set(optionNames(property, 'select'));
  return isOn(property.allow_creation) ? (texts.find((text) => !names.has(text)) ?? texts[0]) : texts[0];
}

function readList(posted: Posted, name: string): string[] | undefined {
  const texts = [...textsOf(posted, name), ...textsOf(posted, `${name}[]`)].filter((text) => text !== '');
  // A typed option may be the same as a ticked one.
  return texts.length > 0 ? [...new Set(texts)] : undefined;
}

/** References of uploads without those to drop. A typed signature comes after the drawing it replaces. */
function readFiles(posted: Posted, name: string): string[] | undefined {
  const dropped = new Set(textsOf(posted, `${name}[remove]`));
  const list = readList(posted, name)?.filter((reference) => !dropped.has(reference));
  return list?.length === 0 ? undefined : list;
}

function readRows(rows: readonly string[], posted: Posted, name: string): JsonValue | undefined {
  const answer: { [row: string]: JsonValue } = Object.create(null);
  const numbers = new Set(rows.map((_, index) => String(index)));
  rows.forEach((row, index) => {
    // What says a place is that place's, even if another row has the number as its name.
    const names = [
      partName(name, row),
      `${name}[${index}]`,
      ...(numbers.has(row) ? [] : [`${name}[${row}]`]),
    ];
    const column = names.flatMap((one) => textsOf(posted, one)).find((text) => text !== '');
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

/** Browsers write `2026-12-31T13:05`; `2026-12-31 13:05` is stored. */
function readDate(text: string | undefined): string | undefined {
  return nonEmpty(text)?.replace(/^(\d{4,}-\d\d-\d\d)T([\d:.]+)$/, '$1 $2');
}

/** For an unticked box with a hidden `0` only that is sent. */
function readBox(
  last: string | undefined,
  { hasEmptyBoxes }: Pick<ReadPostOptions, 'hasEmptyBoxes'>,
): JsonValue | undefined {
  return last === TICKED || last === 'on' || (last === '' && hasEmptyBoxes) ? true : nonEmpty(last);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

function textsOf(posted: Posted, name: string): string[] {
  return posted
    .getAll(name)
    .filter((value) => typeof value === 'string')
    .map(withPlainBreaks);
}

/** Browsers send line breaks as CRLF (HTML, form submission); they are stored as typed. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
