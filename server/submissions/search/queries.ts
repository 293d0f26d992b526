import { type AliasedRawBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import { escapeText } from '../../../fields/texts/escape-html.ts';
import type { Db } from '../../db/database.ts';
import type { Submissions } from '../../db/schema.ts';
import { lastIdOf } from './block-queries.ts';
import { bitsOfText } from './signature.ts';

type SubmissionsAlias = AliasedRawBuilder<Selectable<Submissions>, 'submissions'>;

/** Where to look for a text in the answers of a form, and the condition that finds it there. */
export interface TextSearch {
  /** For reading all matches, in no order. */
  all: SearchedRows;
  /** For reading some matches in the order of an index. */
  page: SearchedRows;
}

interface SearchedRows {
  /** To be selected from instead of the table. */
  from: SubmissionsAlias;
  condition: RawBuilder<boolean>;
}

/** Blocks whose submissions are all read. With some 40 submissions each, that takes a few tenths of a second at most. */
const MAX_BLOCKS = 1_000;
/** Submissions outside of blocks that are all read. */
const MAX_UNFILLED = 10_000;

/** Answers to repeated questions begin like this. A text may, too; it is looked at as one value then. */
const HAS_ENTRIES = '^\\[\\{';

export const WHOLE_TABLE: SubmissionsAlias = sql<Selectable<Submissions>>`submissions`.as('submissions');

/**
 * Finds out where in a form a text may be: in blocks whose signatures do not rule it out, and in submissions outside of blocks. A
 * text of less than three characters may be anywhere, and so may any text in a form without blocks.
 * @param maxBlocks up to this many blocks, all their submissions are read and then sorted
 */
export async function prepareSearch(
  db: Db,
  formId: number,
  text: string,
  maxBlocks = MAX_BLOCKS,
): Promise<TextSearch> {
  const { lastId, ways, isMuchUnfilled } = await findBits(db, formId, text);
  const condition = containsText(text);
  const whole = { from: WHOLE_TABLE, condition };
  if (lastId === null || ways.some((bits) => bits.length === 0)) return { all: whole, page: whole };
  const isSet = (bit: number) => sql`get_bit(signature, ${bit}) = 1`;
  const areSet = sql.join(
    ways.map((bits) => sql`(${sql.join(bits.map(isSet), sql` and `)})`),
    sql` or `,
  );
  const blocks = sql`
    select first_id, last_id from search_blocks
    where form_id = ${formId} and first_id <= ${lastId} and coalesce(${areSet}, true)
    order by first_id desc`;
  const unfilled = sql`select ${lastId}::bigint + 1 as first_id, ${Number.MAX_SAFE_INTEGER}::bigint as last_id`;
  const { rows } = isMuchUnfilled
    ? { rows: [] }
    : await sql<{ first_id: number; last_id: number }>`${blocks} limit ${maxBlocks + 1}`.execute(db);
  if (isMuchUnfilled || rows.length > maxBlocks) {
    if (await areMost(db, formId, rows, lastId)) return { all: whole, page: inOrder(condition) };
    const ranges = sql`(${blocks}) union all (${unfilled})`;
    const inRanges = sql<boolean>`id <@ (
      select range_agg(int8range(first_id, last_id, '[]')) from (${ranges}) as range)`;
    return {
      all: { from: submissionsIn(formId, ranges), condition },
      page: inOrder(sql`${inRanges} and ${condition}`),
    };
  }
  const few = sql`${unfilled} union all
    select * from unnest(${rows.map((row) => row.first_id)}::bigint[], ${rows.map((row) => row.last_id)}::bigint[])`;
  const found = { from: submissionsIn(formId, few), condition };
  return { all: found, page: found };
}

/** Hides the condition from the planner. It takes any word for a rare one, and would read everything and sort, instead of following the index. */
function inOrder(condition: RawBuilder<unknown>): SearchedRows {
  return { from: WHOLE_TABLE, condition: sql<boolean>`case when ${condition} then true end` };
}

/** Whether the text may be in most of the latest blocks, so that looking at blocks is not worth it. */
async function areMost(
  db: Db,
  formId: number,
  latest: { first_id: number }[],
  lastId: number,
): Promise<boolean> {
  const from = latest.at(-1)?.first_id;
  if (from === undefined) return false;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from search_blocks
    where form_id = ${formId} and first_id between ${from} and ${lastId}`.execute(db);
  return 2 * latest.length > (rows[0]?.count ?? 0);
}

/** The bits of each spelling of the text, and up to where blocks are filled. */
async function findBits(db: Db, formId: number, text: string) {
  // The database folds the whole pattern, as `ilike` does; JavaScript would fold some letters differently.
  const patterns = sql.join(waysToWrite(text).map((way) => sql`lower(${likePattern(way)})`));
  const { rows } = await sql<{ patterns: string[]; last_id: number | null; is_much_unfilled: boolean }>`
    with top as materialized (select ${lastIdOf(sql`${formId}`)} as last_id)
    select array[${patterns}] as patterns, last_id, last_id is not null and exists (
      select from submissions where form_id = ${formId} and id > last_id
      order by id offset ${MAX_UNFILLED} limit 1) as is_much_unfilled
    from top`.execute(db);
  const { patterns: folded = [], last_id = null, is_much_unfilled = false } = rows[0] ?? {};
  const ways = folded.map((pattern) => bitsOfText(pattern.slice(1, -1).replace(/\\(.)/gs, '$1')));
  return { lastId: last_id, ways, isMuchUnfilled: is_much_unfilled };
}

/** `offset 0` makes the planner look into the index once per range, whatever it assumes about the ranges. */
function submissionsIn(formId: number, ranges: RawBuilder<unknown>): SubmissionsAlias {
  return sql<Selectable<Submissions>>`(
    select found.* from (${ranges}) as range (first_id, last_id), lateral (
      select * from submissions where form_id = ${formId} and id between range.first_id and range.last_id offset 0
    ) found)`.as('submissions');
}

/**
 * Whether any answer of a submission contains the text, in any letter case. In answers to repeated questions only the values count,
 * not the ids of the questions that are stored beside them.
 */
export function containsText(search: string) {
  const [inJson, inHtml] = [writtenInJson(search), escapeText(search)];
  const inLists = inJson === search ? sql`` : sql`or value ~ '^[[{]' and value ilike ${likePattern(inJson)}`;
  const inRichTexts = inHtml === search ? sql`` : sql`or value ilike ${likePattern(inHtml)}`;
  return sql<boolean>`${mayContain(search)} and exists (
    select from jsonb_each_text(data) where (value ilike ${likePattern(search)} ${inLists} ${inRichTexts})
      and (value !~ ${HAS_ENTRIES} or ${entriesContain(search, sql`data -> key`)}))`;
}

/** Whether a value in any entry contains the text. @param answer an answer to repeated questions; any other contains none */
export function entriesContain(text: string, answer: RawBuilder<unknown>) {
  return sql<boolean>`exists (
    select from jsonb_path_query(${answer}, '$.** ? (@.type() != "object" && @.type() != "array")') as told
    where told #>> '{}' ilike ${likePattern(text)})`;
}

/** Rules most submissions out by their JSON as a whole, which is several times cheaper than looking at each answer. */
function mayContain(search: string) {
  const ways = waysToWrite(search).map((way) => sql`data::text ilike ${likePattern(way)}`);
  return sql<boolean>`(${sql.join(ways, sql` or `)})`;
}

/** All spellings of a text in stored answers: as it is, escaped for rich texts, and both escaped for lists and matrices. */
export function waysToWrite(text: string): string[] {
  const inAnswers = [text, escapeText(text)];
  return [...new Set([...inAnswers, ...inAnswers.map(writtenInJson)])];
}

/** A text as lists, matrices and the JSON of all answers spell it. */
function writtenInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The pattern of `like` for texts that contain this one. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
