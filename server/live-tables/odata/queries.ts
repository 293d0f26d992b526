import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { type CutPage, readCutPage } from '../../submissions/lists/page-queries.ts';
import { fieldCondition, momentText } from '../../submissions/lists/queries.ts';
import { countSubmissions } from '../../submissions/queries.ts';
import type { Compared, EntityRow, EntitySet } from './entity-types.ts';
import type { Condition, Operator } from './filter.ts';
import type { Literal } from './literals.ts';

/** Which entities of a form are meant. */
export interface Entities {
  formId: number;
  entriesOf: EntitySet['entriesOf'];
  condition: Condition | null;
}

export interface EntityOrder {
  by: 'id' | 'created_at';
  isRising: boolean;
}

/** The entity after which a page begins. */
export interface EntityPlace {
  id: number;
  /** 0 for submissions. */
  position: number;
  /** As `EntityRow` has it; null in an order by number. */
  moment: string | null;
}

interface EntityPage {
  order: EntityOrder;
  after: EntityPlace | null;
  skip: number;
  limit: number;
  /** Of answers as they are stored, at most; the first entity comes in any case. */
  bytes: number;
}

/** By how many milliseconds the times differ that are shown alike. */
const MILLISECOND = 1;
const COMPARISONS: Record<Operator, string> = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' };
/** The operators of filters of lists. */
const OF_NUMBERS: Record<Operator, string> = {
  eq: 'equals',
  ne: 'does_not_equal',
  gt: 'greater_than',
  ge: 'greater_than_or_equal_to',
  lt: 'less_than',
  le: 'less_than_or_equal_to',
};
const OF_DATES: Record<Operator, string> = {
  ...OF_NUMBERS,
  gt: 'after',
  ge: 'on_or_after',
  lt: 'before',
  le: 'on_or_before',
};
const REVIEW_STATE = sql<string>`coalesce((select state from submission_reviews review
  where review.form_id = submissions.form_id and review.submission_id = submissions.id), 'received')`;

/** One page of entities, in order; shorter when its answers are long. */
export function findEntities(
  db: Db,
  entities: Entities,
  { order, after, skip, limit, bytes }: EntityPage,
): Promise<CutPage<EntityRow>> {
  const isOfEntries = entities.entriesOf !== null;
  const [data, position] = isOfEntries ? [sql`entries.entry`, sql`entries.number`] : [sql`data`, sql`0`];
  const way = sql.raw(order.isRising ? 'asc' : 'desc');
  const places = [
    order.by === 'created_at' ? sql`created_at` : sql`form_id`,
    sql`id`,
    ...(isOfEntries ? [sql`entries.number`] : []),
  ].map((place) => sql`${place} ${way}`);
  const beyond = after ? sql`and ${beyondPlace(after, order, isOfEntries)}` : sql``;
  return readCutPage<EntityRow>(
    db,
    sql`select id, ${position} as position, created_at, updated_at, status, ${REVIEW_STATE} as review_state,
        ${data} as data, ${momentText(sql`created_at`)} as moment
      ${fromWhere(entities)} ${beyond} order by ${sql.join(places)} limit ${limit} offset ${skip}`,
    false,
    bytes,
  );
}

/** How many there are; without a condition the form's counters tell the number of submissions. */
export async function countEntities(db: Db, entities: Entities): Promise<number> {
  const { formId, entriesOf, condition } = entities;
  if (entriesOf === null && condition === null)
    return countSubmissions(db, formId, { status: 'all', search: undefined });
  const { rows } = await sql<{ count: number }>`select count(*) as count ${fromWhere(entities)}`.execute(db);
  return rows[0]?.count ?? 0;
}

function beyondPlace(
  { id, position, moment }: EntityPlace,
  { isRising }: EntityOrder,
  isOfEntries: boolean,
): RawBuilder<boolean> {
  const than = sql.raw(isRising ? '>' : '<');
  if (isOfEntries)
    // The first condition can be looked up, the second cannot.
    return sql`id ${than}= ${id}::bigint and (id, entries.number) ${than} (${id}::bigint, ${position}::bigint)`;
  if (moment === null) return sql`id ${than} ${id}::bigint`;
  return sql`(created_at, id) ${than} (${moment}::timestamptz, ${id}::bigint)`;
}

function fromWhere({ formId, entriesOf, condition }: Entities): RawBuilder<unknown> {
  const answer = sql`data -> ${entriesOf}::text`;
  const entries =
    entriesOf === null
      ? sql``
      : sql`cross join lateral jsonb_array_elements(case jsonb_typeof(${answer}) when 'array' then ${answer} else '[]' end)
          with ordinality as entries (entry, number)`;
  // As everywhere, an answer with an item that is no entry has no entries.
  const isEntry = entriesOf === null ? sql`` : sql`and not ${answer} @? '$[*] ? (@.type() != "object")'`;
  return sql`from submissions ${entries} where form_id = ${formId}::bigint ${isEntry}
    and ${condition === null ? sql`true` : conditionSql(condition)}`;
}

function conditionSql(condition: Condition): RawBuilder<boolean> {
  switch (condition.is) {
    case 'and':
      return sql`(${sql.join(condition.of.map(conditionSql), sql` and `)})`;
    case 'or':
      return sql`(${sql.join(condition.of.map(conditionSql), sql` or `)})`;
    case 'not':
      return sql`not ${conditionSql(condition.of)}`;
    case 'compared':
      return comparison(condition.as, condition.operator, condition.value);
  }
}

/** Never null, so that `not` can turn it. */
function comparison(as: Compared, operator: Operator, value: Literal): RawBuilder<boolean> {
  if (as.by === 'answer') return answerComparison(as, operator, value);
  // These have a value always.
  if (value === null) return operator === 'ne' ? sql`true` : sql`false`;
  if (value instanceof Date) return momentComparison(sql.ref(as.by), operator, value);
  const than = sql.raw(COMPARISONS[operator]);
  switch (as.by) {
    case 'id':
      return sql`id ${than} ${value}::bigint`;
    case 'position':
      return sql`entries.number ${than} ${value}::bigint`;
    case 'review_state':
      return sql`${REVIEW_STATE} ${than} ${value}`;
    default:
      return sql`${sql.ref(as.by)} ${than} ${value}`;
  }
}

function answerComparison(
  { id, kind }: Extract<Compared, { by: 'answer' }>,
  operator: Operator,
  value: Literal,
): RawBuilder<boolean> {
  if (value === null) {
    if (operator !== 'eq' && operator !== 'ne') return sql`false`;
    return sql`${fieldCondition({ id, kind, operator: operator === 'eq' ? 'is_empty' : 'is_not_empty', value: '' })}`;
  }
  const name = (kind === 'date' ? OF_DATES : OF_NUMBERS)[operator];
  return sql`((${fieldCondition({ id, kind, operator: name, value: String(value) })}) is true)`;
}

/** Compares by the millisecond, as times are shown: stored ones are exact to the microsecond. Bounds can be looked up. */
function momentComparison(column: RawBuilder<unknown>, operator: Operator, value: Date): RawBuilder<boolean> {
  const following = new Date(value.getTime() + MILLISECOND);
  const from = (moment: Date) => sql<boolean>`${column} >= ${moment}::timestamptz`;
  const before = (moment: Date) => sql<boolean>`${column} < ${moment}::timestamptz`;
  switch (operator) {
    case 'eq':
      return sql`(${from(value)} and ${before(following)})`;
    case 'ne':
      return sql`(${before(value)} or ${from(following)})`;
    case 'gt':
      return from(following);
    case 'ge':
      return from(value);
    case 'lt':
      return before(value);
    case 'le':
      return before(following);
  }
}
