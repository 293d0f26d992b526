import { parseDate } from '../../fields/dates.ts';
import { flagOf } from '../../fields/flag-words.ts';
import { withoutGuard } from '../../fields/formula-guard.ts';
import { compileFromText } from '../../fields/from-text.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { isoDate } from '../../fields/written-dates.ts';
import type { DecimalSign } from '../../fields/written-numbers.ts';
import type { Habits } from './habits.ts';
import type { SourceRow, SourceTable } from './read-table.ts';
import { COMPLETION_TIME, CREATED_AT, SOURCE_ID, STATUS, type Target } from './targets.ts';

/** A response as the API takes it. */
export interface Sent {
  answers: Record<string, JsonValue>;
  created_at?: string;
  completion_time?: string;
  source_id: string;
}

/** How dates and numbers are read that do not say it themselves. */
export interface Ways {
  dayFirst: boolean;
  isUtc: boolean;
  /** What stands before a fraction; undefined while nobody said it. */
  decimalSign?: DecimalSign | undefined;
  /** Of columns that tell it. */
  habits?: Pick<Habits, 'dates' | 'signs'>;
}

/** Longest text that the API reads as a moment. */
const MAX_MOMENT = 64;
/** Formstead and Typeform, OpnForm, Formbricks, others. */
const IS_UNFINISHED = /^(?:partial|in[ _-]?progress|no|false|incomplete)$/i;
/** Beside yes and no, in the column of an option. */
const IS_CHOSEN = /^(?:x|checked|selected|[✓✔☑☒])$/i;
const IS_NOT_CHOSEN = /^(?:-|–|n\/a|unchecked|not selected|☐)$/i;
/** LimeSurvey writes when a response was submitted, and nothing before. */
const IS_EMPTY_UNFINISHED = /^(?:date submitted|submitdate)$/i;

/** Reads rows as what their columns were matched with. */
export function compileRows(
  matched: readonly string[],
  targets: readonly Target[],
  ways: Ways,
): (row: SourceRow) => Sent {
  const at = (key: string) => matched.indexOf(key);
  const [createdAt, sourceId, completionTime] = [at(CREATED_AT), at(SOURCE_ID), at(COMPLETION_TIME)];
  const fields = fieldsOf(matched, targets).map(({ property, columns }) => {
    const cellOf = compileCell(property, columns);
    const column = columns[0]?.index ?? -1;
    const decimalSign = ways.habits?.signs.get(column) ?? ways.decimalSign;
    const read = compileFromText(property, { dayFirst: isDayFirst(column, ways), decimalSign });
    return { id: property.id, read, cellOf };
  });
  return ({ cells, mark }) => {
    const answers: Sent['answers'] = {};
    for (const { id, read, cellOf } of fields) {
      const answer = read(cellOf(cells));
      if (answer !== undefined) answers[id] = answer;
    }
    const moment = cellAt(cells, createdAt);
    const seconds = cellAt(cells, completionTime);
    return {
      answers,
      source_id: cellAt(cells, sourceId) || mark,
      ...(moment && { created_at: momentAt(createdAt, moment, ways) ?? moment.slice(0, MAX_MOMENT) }),
      ...(seconds && { completion_time: seconds }),
    };
  };
}

interface FieldColumns {
  property: Property;
  columns: { index: number; part: string | null }[];
}

/** The questions that columns were matched with. */
function fieldsOf(matched: readonly string[], targets: readonly Target[]): FieldColumns[] {
  const byKey = new Map(targets.map((target) => [target.key, target]));
  const fields = new Map<string, FieldColumns>();
  matched.forEach((key, index) => {
    const { property, part = null } = byKey.get(key) ?? {};
    if (!property) return;
    const field = fields.get(property.id) ?? { property, columns: [] };
    field.columns.push({ index, part });
    fields.set(property.id, field);
  });
  return [...fields.values()];
}

/** Several columns of one question as one cell, as an export writes it. What has the whole answer needs no parts. */
function compileCell(
  property: Property,
  columns: FieldColumns['columns'],
): (cells: readonly string[]) => string {
  const [only] = columns;
  if (columns.length === 1 && only?.part === null) return (cells) => cells[only.index] ?? '';
  const isMatrix = canonicalTypeName(property.type) === 'matrix';
  const textOf = (cells: readonly string[], isPart: boolean) => {
    const texts = columns
      .filter(({ part }) => (part !== null) === isPart)
      .map(({ index, part }) => {
        const cell = cellAt(cells, index);
        if (part === null || cell === '') return cell;
        return isMatrix ? `${part}: ${cell}` : chosenBy(cell, part);
      })
      .filter((text) => text !== '');
    if (isMatrix) return texts.join(' | ');
    // A cell of its own is one option, whatever stands in it.
    return isPart ? [...new Set(texts)].map((text) => `${text}\n`).join('') : texts.join(', ');
  };
  return (cells) => textOf(cells, false) || textOf(cells, true);
}

/** The option, nothing, or what somebody wrote there instead, for the field to judge. */
function chosenBy(cell: string, option: string): string {
  const flag = flagOf(cell);
  if (flag === false || IS_NOT_CHOSEN.test(cell)) return '';
  return flag === true || IS_CHOSEN.test(cell) || cell.toLowerCase() === option.trim().toLowerCase()
    ? option
    : cell;
}

function cellAt(cells: readonly string[], index: number): string {
  return withoutGuard(cells[index] ?? '').trim();
}

function isDayFirst(column: number, { dayFirst, habits }: Ways): boolean {
  const order = habits?.dates.get(column);
  return order === undefined ? dayFirst : order === 'day';
}

function momentAt(column: number, written: string, ways: Ways): string | null {
  return momentOf(written, isDayFirst(column, ways), ways.isUtc);
}

/** ISO 8601 in UTC; null for what is no moment. A time that does not say where it is of is the reader's, or UTC. */
export function momentOf(written: string, dayFirst: boolean, isUtc: boolean): string | null {
  const iso = isoDate(written, dayFirst, new Date().getFullYear());
  const parsed = iso === null ? null : parseDate(iso);
  if (iso === null || !parsed) return null;
  if (isUtc || /(?:Z|[+-]\d\d:\d\d)$/.test(iso.slice(10))) return new Date(parsed.time).toISOString();
  const local = new Date(parsed.time);
  const own = new Date(
    local.getUTCFullYear(),
    local.getUTCMonth(),
    local.getUTCDate(),
    local.getUTCHours(),
    local.getUTCMinutes(),
    local.getUTCSeconds(),
    local.getUTCMilliseconds(),
  );
  return own.toISOString();
}

/** The rows without those that are unfinished: imported, they would be complete. */
export function finishedRows({ columns, rows }: SourceTable, matched: readonly string[]): SourceRow[] {
  const status = matched.indexOf(STATUS);
  const createdAt = matched.indexOf(CREATED_AT);
  const tellsByTime = IS_EMPTY_UNFINISHED.test(columns[createdAt] ?? '');
  if (status < 0 && !tellsByTime) return rows;
  return rows.filter(({ cells }) => {
    if (IS_UNFINISHED.test(cellAt(cells, status))) return false;
    return !tellsByTime || cellAt(cells, createdAt) !== '';
  });
}

/** Oldest first, so that the newest gets the highest number; those without a time last, in the order of the file. */
export function inOrderOfTime(
  rows: readonly SourceRow[],
  matched: readonly string[],
  ways: Ways,
): SourceRow[] {
  const index = matched.indexOf(CREATED_AT);
  if (index < 0) return [...rows];
  const timed = rows.map((row) => {
    const moment = momentAt(index, cellAt(row.cells, index), ways);
    return { row, time: moment === null ? Number.POSITIVE_INFINITY : Date.parse(moment) };
  });
  timed.sort((one, other) => (one.time === other.time ? 0 : one.time - other.time));
  return timed.map(({ row }) => row);
}
