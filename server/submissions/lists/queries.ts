import { type RawBuilder, sql } from 'kysely';
import { NO_ENDING } from '../../../fields/logic/endings.ts';
import type { Property } from '../../../fields/property.ts';
import { escapeText } from '../../../fields/texts/escape-html.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { SUBMISSION_COLUMNS, type SubmissionFilter, type SubmissionRow } from '../queries.ts';
import type { ReviewState } from '../reviews/states.ts';
import { entriesContain, likePattern, type TextSearch, WHOLE_TABLE } from '../search/queries.ts';
import type { ListCursor } from './cursor.ts';
import { type AnswerKind, COMPARISONS, type FieldFilter, NEGATIONS } from './filter.ts';
import { type CutPage, readCutPage } from './page-queries.ts';

export interface ListFilter extends SubmissionFilter {
  from: Date | null;
  /** Only submissions created before this moment. */
  until: Date | null;
  /** Only ids below this one. */
  beforeId: number | null;
  fields: readonly FieldFilter[];
  /** null for any. */
  review: ReviewState | null;
  /** Id of the ending that was reached; `none` for those that reached none, null for any. */
  ending: string | null;
}

/** What a list is sorted by: a moment of the submission, or its answer to a field. */
export type ListSort = { by: 'created_at' | 'updated_at' } | { by: 'field'; id: string; kind: AnswerKind };

export interface ListPlace {
  sort: ListSort;
  order: 'asc' | 'desc';
  /** null for the beginning. */
  cursor: ListCursor | null;
  limit: number;
}

/** `key` is the value that the row is sorted by, as text. */
export type ListedRow = SubmissionRow & { key: string | null };

/** Characters of an answer that count for sorting. */
const SORTED_LENGTH = 200;
const TIME = String.raw`[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?`;
/** A day that every month has, in UTC as it is written. */
const USUAL_DATE = String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])(${TIME}Z?)?$`;
/** Every date that `parseDate` reads, and days that their month does not have. */
const ANY_DATE = String.raw`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(${TIME}(Z|[+-](0\d|1[0-3]):[0-5]\d|[+-]14:00)?)?$`;
const OFFSET = String.raw`[+-]\d\d:\d\d$`;
const COLUMNS = sql.raw(SUBMISSION_COLUMNS.join());
/** To the microsecond: PostgreSQL keeps moments so, a JavaScript Date would cut them to milliseconds. */
export const momentText = (moment: RawBuilder<unknown>) =>
  sql<string>`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The present and former fields of a form, by which a list may be filtered and sorted; none when it is gone. */
export async function findListFields(db: Db, formId: number): Promise<Property[]> {
  const row = await db
    .selectFrom('forms')
    .select(['properties', 'removed_properties'])
    .where('id', '=', formId)
    .executeTakeFirst();
  return (row ? [row.properties, row.removed_properties].flat() : []) as unknown as Property[];
}

/** One page, beginning at the cursor: towards `prev` the rows come in reverse order. It ends early when its answers are long. */
export async function findListed(
  db: Db,
  formId: number,
  filter: ListFilter,
  place: ListPlace,
): Promise<CutPage<ListedRow>> {
  // No index has answers in order, so all matches have to be read and sorted.
  const statement = statementOf(rowsOf(formId, filter, place.sort.by === 'field' ? 'all' : 'page'), place);
  return readCutPage(db, statement);
}

/** How many submissions match, `most` at most. */
export async function countListed(db: Db, formId: number, filter: ListFilter, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from ${rowsOf(formId, filter, 'all')} limit ${most}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The numeric ids of matching submissions, `most` at most. */
export async function findIdsOf(db: Db, formId: number, filter: ListFilter, most: number): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] | null }>`
    select array_agg(id) as ids from (
      select id from ${rowsOf(formId, filter, 'all')} limit ${most}
    ) found`.execute(db);
  return rows[0]?.ids ?? [];
}

/** Makes statements of this transaction fail after so many milliseconds. */
export async function limitStatements(trx: Transaction, milliseconds: number): Promise<void> {
  await sql`set local statement_timeout = ${sql.lit(milliseconds)}`.execute(trx);
}

function statementOf(rows: RawBuilder<unknown>, { sort, order, cursor, limit }: ListPlace) {
  const isForward = cursor?.towards !== 'prev';
  const isRising = (order === 'asc') === isForward;
  const way = { isForward, isRising, cursor, limit };
  switch (sort.by) {
    case 'created_at':
      return byMoment(rows, sql.ref('created_at'), way);
    case 'updated_at':
      return byChange(rows, way);
    case 'field':
      return byAnswer(rows, sort, way);
  }
}

interface Way {
  isForward: boolean;
  isRising: boolean;
  cursor: ListCursor | null;
  limit: number;
}

function byMoment(rows: RawBuilder<unknown>, moment: RawBuilder<unknown>, { isRising, cursor, limit }: Way) {
  const way = sql.raw(isRising ? 'asc' : 'desc');
  const beyond = cursor
    ? sql`and (${moment}, id) ${sql.raw(isRising ? '>' : '<')} (${cursor.key}::timestamptz, ${cursor.id}::bigint)`
    : sql``;
  return sql<ListedRow>`
    select ${COLUMNS}, ${momentText(moment)} as key from ${rows} ${beyond} order by ${moment} ${way}, id ${way} limit ${limit}`;
}

/**
 * One index has the changed submissions in order, another the unchanged ones. So a page of each is read, and the first of both
 * together are the page.
 */
function byChange(rows: RawBuilder<unknown>, way: Way) {
  const direction = sql.raw(way.isRising ? 'asc' : 'desc');
  const changed = byMoment(sql`${rows} and updated_at > created_at`, sql.ref('updated_at'), way);
  const unchanged = byMoment(sql`${rows} and updated_at <= created_at`, sql.ref('created_at'), way);
  return sql<ListedRow>`
    select * from ((${changed}) union all (${unchanged})) merged
    order by key collate "C" ${direction}, id ${direction} limit ${way.limit}`;
}

/** Submissions without an answer come last, in ascending and descending order. */
function byAnswer(
  rows: RawBuilder<unknown>,
  { id, kind }: { id: string; kind: AnswerKind },
  { isForward, isRising, cursor, limit }: Way,
) {
  const [way, than] = [sql.raw(isRising ? 'asc' : 'desc'), sql.raw(isRising ? '>' : '<')];
  const nulls = sql.raw(isForward ? 'asc' : 'desc');
  const type = sql.raw(kind === 'number' ? 'numeric' : 'text collate "C"');
  const answer = sql`data -> ${id}::text`;
  const key =
    kind === 'number'
      ? sql`case when jsonb_typeof(${answer}) = 'number' then (${answer})::numeric end`
      : sql`lower(left(data ->> ${id}::text, ${SORTED_LENGTH})) collate "C"`;
  const beyondId = sql`id ${than} ${cursor?.id ?? 0}::bigint`;
  const beyondKey = sql`key ${than} ${cursor?.key ?? null}::${type}`;
  const sameKey = sql`(key = ${cursor?.key ?? null}::${type} and ${beyondId})`;
  let beyond = sql`true`;
  if (cursor?.key === null)
    beyond = sql`(key is null and ${beyondId} ${isForward ? sql`` : sql`or key is not null`})`;
  else if (cursor) beyond = sql`(${beyondKey} or ${sameKey} ${isForward ? sql`or key is null` : sql``})`;
  return sql<ListedRow>`
    select ${COLUMNS}, key::text as key from (select *, ${key} as key from ${rows}) keyed
    where ${beyond} order by (keyed.key is null) ${nulls}, keyed.key ${way}, id ${way} limit ${limit}`;
}

/** The SQL between `from` and `order by`. */
function rowsOf(formId: number, filter: ListFilter, what: keyof TextSearch): RawBuilder<unknown> {
  return sql`${filter.search?.[what].from ?? WHOLE_TABLE} where ${conditionsOf(formId, filter, what)}`;
}

function conditionsOf(formId: number, filter: ListFilter, what: keyof TextSearch): RawBuilder<unknown> {
  const { status, search, from, until, beforeId, fields, review, ending } = filter;
  return sql.join(
    [
      sql`form_id = ${formId}::bigint`,
      ...(status === 'all' ? [] : [sql`status = ${status}`]),
      ...(from === null ? [] : [sql`created_at >= ${from}::timestamptz`]),
      ...(until === null ? [] : [sql`created_at < ${until}::timestamptz`]),
      ...(beforeId === null ? [] : [sql`id < ${beforeId}::bigint`]),
      ...fields.map(fieldCondition),
      ...(review === null ? [] : [reviewCondition(review)]),
      ...(ending === null ? [] : [endingCondition(ending)]),
      ...(search === undefined ? [] : [search[what].condition]),
    ],
    sql` and `,
  );
}

/** Submissions that nobody has decided about may have no row in submission_reviews. */
function reviewCondition(review: ReviewState): RawBuilder<unknown> {
  const decided = (state: RawBuilder<unknown>) => sql`exists (
    select from submission_reviews where submission_reviews.form_id = submissions.form_id
      and submission_reviews.submission_id = submissions.id and submission_reviews.state ${state})`;
  return review === 'received' ? sql`not ${decided(sql`<> 'received'`)}` : decided(sql`= ${review}`);
}

/** A partial submission has reached nothing yet. */
function endingCondition(ending: string): RawBuilder<unknown> {
  return ending === NO_ENDING ? sql`ending is null and status = 'completed'` : sql`ending = ${ending}`;
}

/** SQL of a comparison with an answer, for statements that read `submissions`. It may be null where there is none. */
export function fieldCondition(filter: FieldFilter): RawBuilder<unknown> {
  const { id, kind, operator, value } = filter;
  const opposite = NEGATIONS[operator];
  if (opposite) return sql`(${fieldCondition({ ...filter, operator: opposite })}) is not true`;
  const answer = sql`data -> ${id}::text`;
  // Empty answers are not stored; null stands for a removed one.
  if (operator === 'is_empty') return sql`data ->> ${id}::text is null`;
  if (operator === 'is_not_empty') return sql`data ->> ${id}::text is not null`;
  const isEqual = operator === 'equals';
  const comparison = sql.raw(isEqual ? '=' : (COMPARISONS[operator] ?? '='));
  const text = (of: RawBuilder<unknown>) =>
    isEqual ? sql`${of} = ${value}` : sql`${of} ilike ${likePattern(value)}`;
  switch (kind) {
    case 'number':
      return sql`case when jsonb_typeof(${answer}) = 'number' then (${answer})::numeric ${comparison} ${value}::numeric else false end`;
    case 'date':
      // A range counts by its first day.
      return sql`${utcDay(sql`coalesce(${answer} ->> 0, data ->> ${id}::text)`)} ${comparison} ${value}::date`;
    case 'flag':
      return sql`${answer} = ${value}::jsonb`;
    case 'list':
      // A single text is an answer from before the field took several.
      return sql`exists (select from jsonb_array_elements_text(case when jsonb_typeof(${answer}) = 'array' then ${answer}
        when ${answer} is null then '[]' else jsonb_build_array(${answer}) end) as item (text) where ${text(sql`item.text`)})`;
    case 'ranking':
      // Compares the first place, the last place, or all places written as in exports; anything else has no places.
      if (isEqual)
        return sql`case when jsonb_typeof(${answer}) = 'array' then (select string_agg(item, ', ' order by place)
          from jsonb_array_elements_text(${answer}) with ordinality as ranked (item, place))
          else data ->> ${id}::text end = ${value}`;
      return sql`case when jsonb_typeof(${answer}) = 'array' then ${answer} ->> ${operator === 'starts_with' ? 0 : -1}::int end = ${value}`;
    case 'matrix':
      return sql`exists (select from jsonb_each_text(
        case when jsonb_typeof(${answer}) = 'object' then ${answer} else '{}' end) as line (name, text)
        where ${text(sql`line.name || ': ' || line.text`)})`;
    case 'entries':
      // Compares the number of entries, or looks for a text in them.
      if (operator === 'contains') return entriesContain(value, answer);
      return sql`case when jsonb_typeof(${answer}) = 'array' then jsonb_array_length(${answer}) else 0 end ${comparison} ${value}::numeric`;
    case 'rich_text':
      return sql`(${sql.join(
        [value, escapeText(value)].map((way) => fieldCondition({ ...filter, kind: 'text', value: way })),
        sql` or `,
      )})`;
    case 'text':
      // A list is an answer from before the field took only one: then one of its items has to be equal.
      return isEqual
        ? sql`(data ->> ${id}::text = ${value} or ${answer} @> to_jsonb(${value}::text))`
        : text(sql`data ->> ${id}::text`);
  }
}

/**
 * Computed from the digits instead of by a cast, which would fail on answers that are no dates, from when the field had another type;
 * these have no day. A date and not a text, as an offset may lead out of the years of four digits.
 */
function utcDay(text: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select case when left(answer, 4) = '0000' then null
    when answer ~ ${USUAL_DATE} then left(answer, 10)::date
    when answer ~ ${ANY_DATE} then (
      select case when to_char(written, 'MM-DD') = substr(answer, 6, 5) then (
        written + make_interval(
          hours => coalesce(nullif(substr(answer, 12, 2), ''), '0')::int, mins => coalesce(nullif(substr(answer, 15, 2), ''), '0')::int
        ) - coalesce(substring(answer from ${OFFSET}), '0')::interval
      )::date end
      from (select timestamp '0001-01-01' + make_interval(
        years => left(answer, 4)::int - 1, months => substr(answer, 6, 2)::int - 1, days => substr(answer, 9, 2)::int - 1
      ) as written) day
    ) end from (select ${text} as answer) date)`;
}
