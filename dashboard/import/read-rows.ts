import { parseDate } from '../../fields/dates.ts';
import { withoutGuard } from '../../fields/formula-guard.ts';
import { compileFromText } from '../../fields/from-text.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { dateOrder, isoDate } from '../../fields/written-dates.ts';
import type { SourceRow, SourceTable } from './read-table.ts';
import { COMPLETION_TIME, CREATED_AT, SOURCE_ID, STATUS, type Target } from './targets.ts';

/** A response as the API takes it. */
export interface Sent {
  answers: Record<string, JsonValue>;
  created_at?: string;
  completion_time?: string;
  source_id: string;
}

/** How dates are read that do not say it themselves. */
export interface DateWays {
  dayFirst: boolean;
  isUtc: boolean;
}

/** Longest text that the API reads as a moment. */
const MAX_MOMENT = 64;
/** Formstead and Typeform, Formbricks, others. */
const IS_UNFINISHED = /^(?:partial|no|false|incomplete)$/i;
const IS_CHOSEN = /^(?:yes|y|true|1|x)$/i;

/** Reads rows as what their columns were matched with. */
export function compileRows(
  matched: readonly string[],
  targets: readonly Target[],
  { dayFirst, isUtc }: DateWays,
): (row: SourceRow) => Sent {
  const at = (key: string) => matched.indexOf(key);
  const [createdAt, sourceId, completionTime] = [at(CREATED_AT), at(SOURCE_ID), at(COMPLETION_TIME)];
  const fields = fieldsOf(matched, targets).map(({ property, columns }) => ({
    id: property.id,
    read: compileFromText(property, { dayFirst }),
    cellOf: compileCell(property, columns),
  }));
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
      ...(moment && { created_at: momentOf(moment, dayFirst, isUtc) ?? moment.slice(0, MAX_MOMENT) }),
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

/** Several columns of one question as one cell, as an export writes it. */
function compileCell(
  property: Property,
  columns: FieldColumns['columns'],
): (cells: readonly string[]) => string {
  const [only] = columns;
  if (columns.length === 1 && only?.part === null) return (cells) => cells[only.index] ?? '';
  const isMatrix = canonicalTypeName(property.type) === 'matrix';
  return (cells) =>
    columns
      .map(({ index, part }) => {
        const cell = cellAt(cells, index);
        if (part === null || cell === '') return cell;
        if (isMatrix) return `${part}: ${cell}`;
        const isChosen = IS_CHOSEN.test(cell) || cell.toLowerCase() === part.trim().toLowerCase();
        return isChosen ? part : '';
      })
      .filter((text) => text !== '')
      .join(isMatrix ? ' | ' : ', ');
}

function cellAt(cells: readonly string[], index: number): string {
  return withoutGuard(cells[index] ?? '').trim();
}

/** ISO 8601 in UTC; null for what is no moment. A time that does not say where it is of is the reader's, or UTC. */
export function momentOf(written: string, dayFirst: boolean, isUtc: boolean): string | null {
  const iso = isoDate(written, dayFirst);
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

/** The rows without those that their status calls unfinished: imported, they would be complete. */
export function finishedRows({ rows }: SourceTable, matched: readonly string[]): SourceRow[] {
  const index = matched.indexOf(STATUS);
  return index < 0 ? rows : rows.filter(({ cells }) => !IS_UNFINISHED.test(cellAt(cells, index)));
}

/** What the dates of the matched columns tell about their order: `either` where only somebody who knows can say it. */
export function orderOfDates(
  { rows }: SourceTable,
  matched: readonly string[],
  targets: readonly Target[],
): 'day' | 'month' | 'either' | null {
  const isDate = ({ key, property }: Target) =>
    key === CREATED_AT || (property !== null && canonicalTypeName(property.type) === 'date');
  const dates = new Set(targets.filter(isDate).map(({ key }) => key));
  const columns = matched.flatMap((key, index) => (dates.has(key) ? [index] : []));
  let isOpen = false;
  for (const { cells } of rows) {
    for (const index of columns) {
      const order = dateOrder(cells[index] ?? '');
      if (order === 'day' || order === 'month') return order;
      isOpen ||= order === 'either';
    }
  }
  return isOpen ? 'either' : null;
}

/** Oldest first, so that the newest gets the highest number; those without a time last, in the order of the file. */
export function inOrderOfTime(
  rows: readonly SourceRow[],
  matched: readonly string[],
  { dayFirst, isUtc }: DateWays,
): SourceRow[] {
  const index = matched.indexOf(CREATED_AT);
  if (index < 0) return [...rows];
  const timed = rows.map((row) => {
    const moment = momentOf(cellAt(row.cells, index), dayFirst, isUtc);
    return { row, time: moment === null ? Number.POSITIVE_INFINITY : Date.parse(moment) };
  });
  timed.sort((one, other) => (one.time === other.time ? 0 : one.time - other.time));
  return timed.map(({ row }) => row);
}
