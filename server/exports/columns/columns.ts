import { ATTRIBUTION_KEYS, ATTRIBUTION_PREFIX } from '../../../fields/attribution-keys.ts';
import { stringList } from '../../../fields/block-options/options.ts';
import { optionNames } from '../../../fields/choices/choices.ts';
import type { FieldType } from '../../../fields/field-type.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import type { Ending } from '../../../fields/logic/endings.ts';
import type { Property } from '../../../fields/property.ts';
import { questionsOf } from '../../../fields/repeated-questions.ts';
import { cut } from '../../../fields/texts/cut.ts';
import { headersApart } from '../../../fields/texts/numbered-apart.ts';
import { scaleSteps } from '../../../fields/types/stepped.ts';
import { invalid } from '../../http/errors.ts';
import { type TableTraits, tableTraits } from './table-traits.ts';
import { createWords } from './words.ts';

/** One column of an export, with everything needed to write it even if the form changes meanwhile. */
export type ExportColumn =
  | {
      source: 'field';
      id: string;
      /** Canonical name, with `_`. */
      type: string;
      csvKind: FieldType['csvKind'];
      /** Names of the options or, for a matrix, of its columns. Of the parts of a question only the `rest` has them, and the rows. */
      choices: string[];
      /** Rows of a matrix. */
      rows: string[];
      /** What the lowest and the highest number of a scale mean; absent in jobs from before they were listed. */
      scaleEnds?: string[];
      /** Questions that the field repeats. */
      questions: EntryQuestion[];
      /** Set when each entry has a line, and this is a question of the entry. */
      isInEntry?: boolean;
      /** Set when the column holds only this part of the answer. */
      part?: AnswerPart;
      inTables: TableTraits;
      header: string;
    }
  | { source: 'entry'; header: string }
  | { source: 'system'; name: Exclude<SystemColumn, 'ending'>; header: string }
  | { source: 'system'; name: 'ending'; endings: readonly NamedEnding[]; header: string }
  | { source: 'attribution'; key: string; header: string };

/**
 * A part of an answer: whether an option was chosen (1 or 0), the place of a ranked option, what was chosen in a row, or what no other
 * part has.
 */
export type AnswerPart = { is: 'option' | 'place' | 'row'; name: string } | { is: 'rest' };

/** What an export says of an ending. */
type NamedEnding = Pick<Ending, 'id' | 'name'>;

/** The parts of a form that decide which columns it has. */
export interface ColumnsForm {
  /** Present fields, then those removed. */
  properties: readonly Property[];
  endings: readonly NamedEnding[];
}

export type FieldColumn = Extract<ExportColumn, { source: 'field' }>;

/** A question that a field repeats in every entry. */
export type EntryQuestion = Pick<Property, 'id' | 'name'> &
  Pick<FieldColumn, 'type' | 'csvKind' | 'inTables'>;

/** Header of the number of an entry in its submission. */
const ENTRY_HEADER = 'entry';
/** How many unknown names of columns a message repeats, and how many characters of each. */
const UNKNOWN_SHOWN = 10;
const UNKNOWN_SHOWN_LENGTH = 64;
/** Names in a database, besides those of other columns, that no question may have. */
const TAKEN_NAMES = ['submissions', 'fields', 'public_id'];
const ENTRY_KEY = ['submission_id', 'position'];
export const SYSTEM_COLUMNS = [
  'id',
  'submission_id',
  'created_at',
  'updated_at',
  'status',
  'completion_time',
  'ending',
  'review_state',
  'recipient_name',
  'recipient_email',
  'confirmed_email',
  'confirmed_at',
  'payment_amount',
  'payment_currency',
  'payment_mode',
  'paid_at',
] as const;
export type SystemColumn = (typeof SYSTEM_COLUMNS)[number];
const MOMENTS: readonly SystemColumn[] = ['created_at', 'updated_at', 'confirmed_at', 'paid_at'];
const NUMBERS: readonly SystemColumn[] = ['id', 'completion_time', 'payment_amount'];

/** The kind of the cells of a column, as far as its answers fit its type. */
export function kindOf(column: ExportColumn): 'number' | 'boolean' | 'date' | 'moment' | 'text' {
  if (column.source === 'attribution') return 'text';
  if (column.source === 'entry') return 'number';
  if (column.source === 'system') {
    if (NUMBERS.includes(column.name)) return 'number';
    return MOMENTS.includes(column.name) ? 'moment' : 'text';
  }
  const { csvKind, part } = column;
  if (part) return part.is === 'option' || part.is === 'place' ? 'number' : 'text';
  return csvKind === 'number' || csvKind === 'boolean' || csvKind === 'date' ? csvKind : 'text';
}

/** Index of the first column with locations; -1 without one. */
export function placeIndex(columns: readonly ExportColumn[]): number {
  return columns.findIndex((column) => column.source === 'field' && column.csvKind === 'location');
}

/**
 * The wanted columns, in order. A field with the id of a system column replaces that column.
 * @param names the keys of `columns` in the order of the request
 * @param entriesOf id of a field that repeats questions: each entry has a line then, and each question a column
 * @throws HttpError 422 on `columns` when one is unknown or none is wanted, on `entries_of` when it is not among the wanted ones
 */
export function resolveColumns(
  names: string[],
  wanted: Record<string, boolean>,
  form: ColumnsForm,
  entriesOf: string | null = null,
): ExportColumn[] {
  const { properties } = form;
  const known = knownColumns(form);
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) refuse(unknownColumns(unknown));
  const columns = names.filter((name) => wanted[name] === true).flatMap((name) => known.get(name) ?? []);
  if (columns.length === 0) refuse('At least one column must be chosen.');
  if (entriesOf === null) return withDistinctHeaders(columns);
  const field = properties.find(({ id, type }) => id === entriesOf && fieldTypeOf(type).kind === 'input');
  if (!field || fieldTypeOf(field.type).csvKind !== 'entries')
    throw invalid({ entries_of: ['The form has no such repeated questions.'] });
  if (wanted[entriesOf] !== true)
    throw invalid({ entries_of: ['Its column must be among the chosen ones.'] });
  return withDistinctHeaders(
    columns.flatMap((column) =>
      column.source === 'field' && column.id === entriesOf ? columnsOfEntry(field) : [column],
    ),
  );
}

function columnsOfEntry(field: Property): ExportColumn[] {
  const wordOf = createWords(ENTRY_KEY);
  const questions = questionsOf(field).map((question) => ({
    ...fieldColumn(question, wordOf),
    isInEntry: true,
  }));
  return [{ source: 'entry', header: ENTRY_HEADER }, ...questions];
}

/** What is said of columns that the form does not have. */
export function unknownColumns(names: readonly string[]): string {
  const shown = names.slice(0, UNKNOWN_SHOWN).map((name) => cut(name, UNKNOWN_SHOWN_LENGTH));
  const others = names.length - shown.length;
  return `The columns contain invalid values: ${shown.join(', ')}${others > 0 ? ` (and ${others} more)` : ''}`;
}

function refuse(message: string): never {
  throw invalid({ columns: [message] });
}

/** The names that columns of the form's submissions have. */
export function columnNames(properties: readonly Property[]): Set<string> {
  return new Set([
    ...SYSTEM_COLUMNS,
    ...ATTRIBUTION_KEYS.map((key) => ATTRIBUTION_PREFIX + key),
    ...inputsOf(properties).map(({ id }) => id),
  ]);
}

/** Fields win over system columns with the same name; of two fields with the same id the first one wins, which is the current one. */
function knownColumns({ properties, endings }: ColumnsForm): Map<string, ExportColumn> {
  const known = new Map<string, ExportColumn>();
  for (const name of SYSTEM_COLUMNS) {
    const column = { source: 'system', header: name } as const;
    known.set(name, name === 'ending' ? { ...column, name, endings } : { ...column, name });
  }
  for (const key of ATTRIBUTION_KEYS)
    known.set(ATTRIBUTION_PREFIX + key, { source: 'attribution', key, header: key });
  const wordOf = createWords([...TAKEN_NAMES, ...SYSTEM_COLUMNS, ...ATTRIBUTION_KEYS]);
  // Words are given in the order of the form, so that they do not depend on the choice of columns.
  const fields = inputsOf(properties).map((property) => fieldColumn(property, wordOf));
  for (const field of fields.toReversed()) known.set(field.id, field);
  return known;
}

function inputsOf(properties: readonly Property[]): Property[] {
  return properties.filter(({ type }) => fieldTypeOf(type).kind === 'input');
}

function fieldColumn(property: Property, wordOf: (name: string) => string): FieldColumn {
  const { name: type, csvKind } = fieldTypeOf(property.type);
  const isMatrix = csvKind === 'matrix';
  const rows = isMatrix ? [...new Set(stringList(property.rows))] : [];
  const choices = [...new Set(isMatrix ? stringList(property.columns) : optionNames(property, type))];
  const questions = csvKind === 'entries' ? questionsIn(property) : [];
  const inTables = tableTraits(property, wordOf);
  const { id, name: header } = property;
  const scaleEnds = type === 'scale' ? endsOfScale(property) : [];
  return { source: 'field', id, type, csvKind, choices, rows, scaleEnds, questions, header, inTables };
}

function endsOfScale(property: Property): string[] {
  const { min, max } = scaleSteps(property);
  const ends = [
    [min, property.scale_min_label],
    [max, property.scale_max_label],
  ];
  return ends.map(([number, label]) =>
    typeof label === 'string' && label ? `${number} = ${label}` : `${number}`,
  );
}

function questionsIn(field: Property): EntryQuestion[] {
  const wordOf = createWords(ENTRY_KEY);
  return questionsOf(field).map((question) => {
    const { name: type, csvKind } = fieldTypeOf(question.type);
    const { id, name } = question;
    return { id, name, type, csvKind, inTables: tableTraits(question, wordOf) };
  });
}

/** Appends ` (2)`, ` (3)` … to repeated headers, skipping names that are taken. */
export function withDistinctHeaders(columns: ExportColumn[]): ExportColumn[] {
  const distinct = headersApart();
  return columns.map((column) => ({ ...column, header: distinct(column.header) }));
}
