import { parse } from 'papaparse';
import { withoutGuard } from '../../fields/as-text/formula-guard.ts';
import { choiceNames } from '../../fields/choices/choices.ts';
import type { Property } from '../../fields/property.ts';
import { CHOICE_TYPES, canonicalTypeName } from '../../fields/type-names.ts';
import { splitToldDelimiter } from '../lib/told-delimiter.ts';
import { isAddressBook, readAddressBook } from './address-book.ts';

/** A recipient as the API takes it. */
export interface Person {
  name?: string;
  email?: string;
  prefill?: Record<string, string>;
}

/** What was read from a list of people. */
export interface People extends Rows {
  /** Addresses given to people with different names; the last one gets it. */
  shared: string[];
  /** Prefilled values that are no option of their question, each after the question's name. */
  noOptions: string[];
}

interface Rows {
  people: Person[];
  /** Rows that identify nobody. */
  unread: number[];
  /** Names of columns that prefill questions. */
  filledIn: string[];
  /** Names of columns that are ignored. */
  ignored: string[];
}

const DELIMITERS = [',', ';', '\t'];
const NAMES = /^(?:full[ _-]?)?name$/i;
const FIRST_NAMES = /^(?:first|given|fore)[ _-]?name$/i;
const LAST_NAMES = /^(?:last|family|sur)[ _-]?name$/i;
const ADDRESSES = /^(?:e-?mail|mail)(?:[ _-]?address)?$/i;
const ADDRESS = /\S@\S/;
/** An address that the service accepts; one bad address would make it refuse a whole call of a thousand people. */
const GOOD_ADDRESS = /^[^\s\p{C}@"(),:;<>[\]\\]{1,64}@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u;
const MAX_ADDRESS = 254;
const MAX_NAME = 255;
/** Characters of the prefilled values, as JSON. */
const MAX_PREFILL = 20_000;
/** Remains of an address copied from a page. */
const AROUND_ADDRESSES = /^mailto:|\p{Cf}/giu;

/**
 * Reads a list of people, one per row, pasted or exported. The first row may name the columns: name, address, and questions by
 * name or id. Without such a row, a cell with an @ is the address and the rest the name. Lines copied from a mail program may
 * hold several people.
 */
export function readPeople(list: string, questions: readonly Property[]): People {
  const { told, body: text } = splitToldDelimiter(list);
  const { rows, delimiter } = cellsIn(text.trim(), told);
  const [head = []] = rows;
  const columns = withAddresses(
    head.map((name) => columnOf(name, questions)),
    rows,
  );
  const hasHead = columns.some((column) => column !== null) && !head.some((cell) => ADDRESS.test(cell));
  const read = hasHead
    ? readTable(rows, head, columns)
    : isAddressBook(text)
      ? readLines(text, delimiter)
      : readPlain(rows);
  return {
    ...read,
    people: oncePerAddress(read.people),
    shared: sharedAddresses(read.people),
    noOptions: questions.flatMap((question) => noOptionsOf(question, read.people)),
  };
}

/** @param delimiter detected by default */
function cellsIn(text: string, delimiter?: string): { rows: string[][]; delimiter: string } {
  const { data, meta } = parse<string[]>(text, {
    ...(delimiter ? { delimiter } : { delimitersToGuess: DELIMITERS }),
    skipEmptyLines: false,
  });
  return {
    rows: data.map((cells) => cells.map((cell) => withoutGuard(cell).trim())),
    delimiter: meta.delimiter,
  };
}

/** Duplicates count once, as in the service; the last entry wins. */
function oncePerAddress(people: readonly Person[]): Person[] {
  const found = new Map<string | Person, Person>();
  for (const person of people) {
    const key = person.email?.toLowerCase() ?? person;
    found.set(key, { ...found.get(key), ...person });
  }
  return [...found.values()];
}

function sharedAddresses(people: readonly Person[]): string[] {
  const byAddress = Map.groupBy(
    people.filter(({ email, name }) => email && name),
    ({ email = '' }) => email.toLowerCase(),
  );
  return [...byAddress]
    .filter(([, same]) => new Set(same.map(({ name }) => name)).size > 1)
    .map(([address]) => address);
}

function noOptionsOf(question: Property, people: readonly Person[]): string[] {
  const type = canonicalTypeName(question.type);
  const names = CHOICE_TYPES.includes(type) ? choiceNames(question, type) : null;
  if (names === null) return [];
  const texts = new Set(people.flatMap(({ prefill }) => prefill?.[question.id] ?? []));
  return [...texts].filter((text) => !names.has(text)).map((text) => `${question.name}: ${text}`);
}

type Column = 'name' | 'email' | 'first' | 'last' | Property;

function columnOf(name: string, questions: readonly Property[]): Column | null {
  if (ADDRESSES.test(name)) return 'email';
  if (NAMES.test(name)) return 'name';
  const isIt = (question: Property) =>
    question.id === name || question.name.trim().toLowerCase() === name.toLowerCase();
  const question = name !== '' && questions.find(isIt);
  if (question) return question;
  if (FIRST_NAMES.test(name)) return 'first';
  return LAST_NAMES.test(name) ? 'last' : null;
}

/** Programs name the column of addresses in many ways: without a known name, it is the first that holds them. */
function withAddresses(columns: readonly (Column | null)[], rows: readonly string[][]): (Column | null)[] {
  if (columns.includes('email') || columns.every((column) => column === null)) return [...columns];
  const found = columns.findIndex(
    (column, at) => column === null && rows.slice(1).some((cells) => ADDRESS.test(cells[at] ?? '')),
  );
  return columns.map((column, at) => (at === found ? 'email' : column));
}

function readTable(
  rows: readonly string[][],
  head: readonly string[],
  columns: readonly (Column | null)[],
): Rows {
  const people: Person[] = [];
  const unread: number[] = [];
  rows.forEach((cells, index) => {
    if (index === 0 || isBlank(cells)) return;
    const said: Partial<Record<'name' | 'email' | 'first' | 'last', string>> = {};
    const prefill: Record<string, string> = {};
    columns.forEach((column, at) => {
      const cell = cells[at] ?? '';
      if (column === null || cell === '') return;
      if (typeof column === 'string') said[column] = cell;
      else prefill[column.id] = cell;
    });
    const { email, first, last, name = [first, last].filter(Boolean).join(' ') } = said;
    const isFilledIn = Object.keys(prefill).length > 0;
    const person = { ...(name && { name }), ...(email && { email }), ...(isFilledIn && { prefill }) };
    keep(person, index, people, unread);
  });
  const namesWhere = (isIt: (column: Column | null) => boolean) =>
    head.filter((name, at) => name !== '' && isIt(columns[at] ?? null));
  return {
    people,
    unread,
    filledIn: namesWhere((column) => column !== null && typeof column !== 'string'),
    ignored: namesWhere((column) => column === null),
  };
}

/** Reads lines of a mail program, possibly mixed with rows of a table. */
function readLines(text: string, delimiter: string): Rows {
  const people: Person[] = [];
  const unread: number[] = [];
  text
    .trim()
    .split(/\r\n|\r|\n/)
    .forEach((line, index) => {
      const cells = isAddressBook(line) ? null : cellsOf(line, delimiter);
      if (cells && isBlank(cells)) return;
      for (const person of cells ? [personIn(cells)] : readAddressBook(line))
        keep(person, index, people, unread);
    });
  return { people, unread, filledIn: [], ignored: [] };
}

function readPlain(rows: readonly string[][]): Rows {
  const people: Person[] = [];
  const unread: number[] = [];
  const [head = [], ...rest] = rows.filter((cells) => !isBlank(cells));
  const namesColumns = !hasAddress(head) && rest.length > 0 && rest.every(hasAddress);
  rows.forEach((cells, index) => {
    if (isBlank(cells) || (namesColumns && cells === head)) return;
    keep(personIn(cells), index, people, unread);
  });
  return { people, unread, filledIn: [], ignored: namesColumns ? head.filter(Boolean) : [] };
}

/**
 * The cells of a row among other lines.
 * @param delimiter of most rows, if there are any
 */
function cellsOf(line: string, delimiter: string): string[] {
  return cellsIn(line, line.includes(delimiter) ? delimiter : undefined).rows[0] ?? [];
}

/** A cell with an @ is the address, the rest is the name. */
function personIn(cells: readonly string[]): Person {
  const email = cells.find((cell) => ADDRESS.test(cell));
  const name = cells
    .filter((cell) => cell !== '' && !ADDRESS.test(cell))
    .join(' ')
    .replace(/^"(.*)"$/, '$1');
  return { ...(name !== '' && { name }), ...(email && { email }) };
}

function hasAddress(cells: readonly string[]): boolean {
  return cells.some((cell) => ADDRESS.test(cell));
}

/** A person needs a name or an address to be identified; an invalid address is a mistake. */
function keep(read: Person, index: number, people: Person[], unread: number[]): void {
  const email = read.email?.replace(AROUND_ADDRESSES, '');
  const person = { ...read, ...(email !== undefined && { email }) };
  const isGood = email === undefined || (GOOD_ADDRESS.test(email) && email.length <= MAX_ADDRESS);
  const { name = '', prefill = {} } = person;
  const isShort = [...name].length <= MAX_NAME && JSON.stringify(prefill).length <= MAX_PREFILL;
  if (isGood && isShort && (email || name !== '')) people.push(person);
  else if (unread.at(-1) !== index + 1) unread.push(index + 1);
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '');
}
