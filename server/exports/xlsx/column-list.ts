import { ATTRIBUTION_PREFIX } from '../../../fields/attribution-keys.ts';
import type { ExportColumn, FieldColumn, SystemColumn } from '../columns/columns.ts';
import { MAX_TEXT, STYLES, textCell } from './cells.ts';
import { beginSheet, columnLetters } from './sheet.ts';

/** Widths in characters, by the heading of the column. */
const WIDTHS = { Column: 28, Question: 40, 'Option or row': 28, Type: 14, Id: 38, Values: 48 };

const ABOUT_SUBMISSION: Record<SystemColumn, string> = {
  id: 'number of the submission',
  submission_id: 'UUID of the submission',
  created_at: 'when it was sent, in UTC',
  updated_at: 'when it was last changed, in UTC',
  status: 'completed or partial',
  completion_time: 'seconds that the sender took',
  ending: 'name of the ending that was reached',
  review_state: 'received, has_issues, approved or rejected',
  recipient_name: 'who got the personal link',
  recipient_email: 'who got the personal link',
  confirmed_email: 'address that the sender has confirmed',
  confirmed_at: 'when the sender confirmed it, in UTC',
  payment_amount: 'what the sender paid, in whole units of the currency',
  payment_currency: 'currency that was paid in',
  payment_mode: 'live, or test where no money moved',
  paid_at: 'when it was paid, in UTC',
};

/** A worksheet that says what the columns of the submissions are, and which values they can have; in pieces, as it may be long. */
export function* columnListSheet(columns: readonly ExportColumn[]): Generator<string> {
  const choicesOf = choicesById(columns);
  yield beginSheet(Object.values(WIDTHS));
  yield rowXml(Object.keys(WIDTHS), 0);
  for (const [index, column] of columns.entries())
    yield rowXml([column.header, ...described(column, choicesOf)], index + 1);
  yield '</sheetData></worksheet>';
}

function rowXml(cells: readonly string[], index: number): string {
  const style = index === 0 ? STYLES.heading : STYLES.lines;
  const written = cells.map((text, at) => textCell(`${columnLetters(at)}${index + 1}`, text, style));
  return `<row r="${index + 1}">${written.join('')}</row>`;
}

/** The choices of questions by their ids. */
function choicesById(columns: readonly ExportColumn[]): ReadonlyMap<string, readonly string[]> {
  const fields = columns.filter((column) => column.source === 'field');
  // The last column of a question that is split has them.
  return new Map(fields.map(({ id, choices }) => [id, choices]));
}

/** All cells of its row after the first. */
function described(column: ExportColumn, choicesOf: ReadonlyMap<string, readonly string[]>): string[] {
  switch (column.source) {
    case 'system':
      return ['', '', '', column.name, ABOUT_SUBMISSION[column.name]];
    case 'attribution':
      return ['', '', '', ATTRIBUTION_PREFIX + column.key, 'where the sender came from'];
    case 'entry':
      return ['', '', '', '', 'number of the entry in its submission'];
    case 'field': {
      const { id, type, part, inTables, header } = column;
      const name = part && (part.is === 'rest' ? 'Other' : part.name);
      return [
        inTables?.name ?? header,
        name ?? '',
        type,
        id,
        listed(valuesOf(column, choicesOf.get(id) ?? [])),
      ];
    }
  }
}

/** Each on its line, as many as a cell holds: all rows of a matrix with all its columns could be longer than any text. */
function listed(values: readonly string[]): string {
  let length = 0;
  const held = values.findIndex((value) => {
    length += value.length + 1;
    return length > MAX_TEXT;
  });
  return (held < 0 ? values : values.slice(0, held + 1)).join('\n');
}

/** The values that the cells can have, as they are written; none if these are countless. */
function valuesOf(
  { part, rows, scaleEnds = [] }: FieldColumn,
  choices: readonly string[],
): readonly string[] {
  switch (part?.is) {
    case 'option':
      return ['1 = chosen', '0 = not chosen'];
    case 'place':
      return ['1 = first', `${choices.length} = last`];
    case 'rest':
      return [];
    case 'row':
      return choices;
    case undefined:
      if (rows.length > 0) return rows.flatMap((row) => choices.map((choice) => `${row}: ${choice}`));
      return choices.length > 0 ? choices : scaleEnds;
  }
}
