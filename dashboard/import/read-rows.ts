import { parseDate } from '../../fields/as-text/dates.ts';
import { flagOf } from '../../fields/as-text/flag-words.ts';
import { isoDate } from '../../fields/as-text/written-dates.ts';
import type { DecimalSign } from '../../fields/as-text/written-numbers.ts';
import type { Answers, Property } from '../../fields/property.ts';
import type { Habits } from './habits.ts';
import { LIME_SUBMITTED } from './lime-survey-names.ts';
import { type AnswerColumn, cellAt, compileAnswer } from './read-answer.ts';
import type { SourceRow, SourceTable } from './read-table.ts';
import { COMPLETION_TIME, CREATED_AT, folded, SOURCE_ID, STATUS, type Target } from './targets.ts';
import { timeIn } from './time-in-zone.ts';

/** A response in the API's format. */
export interface Sent {
  answers: Answers;
  created_at?: string;
  completion_time?: string;
  source_id: string;
}

/** How ambiguous dates and numbers are read. */
export interface Ways {
  dayFirst: boolean;
  /** Zone of times without an offset, an IANA name; null for the reader's. */
  zone: string | null;
  /** Decimal sign; undefined until the user has chosen it. */
  decimalSign?: DecimalSign | undefined;
  /** Habits of the columns that tell them. */
  habits?: Pick<Habits, 'dates' | 'signs' | 'between'>;
}

export const UTC = 'UTC';
/** Characters of the longest text that the API reads as a moment. */
const MAX_MOMENT = 64;
/** Words of Formstead and Typeform, OpnForm, Formbricks, others. */
const IS_UNFINISHED = /^(?:partial|in[ _-]?progress|incomplete)$/i;
/** The code of LimeSurvey's column for the time of submission, which is empty before. */
const IS_SUBMITDATE = /^submitdate(?:\. .*)?$/;

/** Reads rows by the matches of their columns. */
export function compileRows(
  matched: readonly string[],
  targets: readonly Target[],
  ways: Ways,
): (row: SourceRow) => Sent {
  const at = (key: string) => matched.indexOf(key);
  const [createdAt, sourceId, completionTime] = [at(CREATED_AT), at(SOURCE_ID), at(COMPLETION_TIME)];
  const fields = fieldsOf(matched, targets).map(({ property, columns }) => {
    const column = columns[0]?.index ?? -1;
    const decimalSign = ways.habits?.signs.get(column) ?? ways.decimalSign;
    const cellWays = { dayFirst: isDayFirst(column, ways), decimalSign, between: ways.habits?.between };
    return { id: property.id, answerIn: compileAnswer(property, columns, cellWays) };
  });
  return ({ cells, mark }) => {
    const answers: Sent['answers'] = {};
    for (const { id, answerIn } of fields) {
      const answer = answerIn(cells);
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
  columns: AnswerColumn[];
}

/** The questions that have matched columns. */
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

function isDayFirst(column: number, { dayFirst, habits }: Ways): boolean {
  const order = habits?.dates.get(column);
  return order === undefined ? dayFirst : order === 'day';
}

function momentAt(column: number, written: string, ways: Ways): string | null {
  return momentOf(written, isDayFirst(column, ways), ways.zone);
}

/** ISO 8601 in UTC; null if it is no moment. */
function momentOf(written: string, dayFirst: boolean, zone: Ways['zone']): string | null {
  const iso = isoDate(written, dayFirst, new Date().getFullYear());
  const parsed = iso === null ? null : parseDate(iso);
  if (iso === null || !parsed) return null;
  if (zone === UTC || /(?:Z|[+-]\d\d:\d\d)$/.test(iso.slice(10))) return new Date(parsed.time).toISOString();
  if (zone !== null) return new Date(timeIn(zone, parsed.time)).toISOString();
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

/** The rows without unfinished ones, which would be imported as complete. */
export function finishedRows({ columns, rows }: SourceTable, matched: readonly string[]): SourceRow[] {
  const status = matched.indexOf(STATUS);
  const createdAt = matched.indexOf(CREATED_AT);
  const timeName = folded(columns[createdAt] ?? '');
  const tellsByTime = IS_SUBMITDATE.test(timeName) || LIME_SUBMITTED.includes(timeName);
  if (status < 0 && !tellsByTime) return rows;
  return rows.filter(({ cells }) => {
    const said = cellAt(cells, status);
    if (IS_UNFINISHED.test(said) || flagOf(said) === false) return false;
    return !tellsByTime || cellAt(cells, createdAt) !== '';
  });
}

/** Oldest first, so that the newest gets the highest number; rows without a time come last, in the order of the file. */
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
