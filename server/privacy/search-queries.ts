import { sql } from 'kysely';
import type { Ending } from '../../fields/logic/endings.ts';
import type { Answers, JsonValue, Property } from '../../fields/property.ts';
import { addressKeys } from '../accounts/email.ts';
import { ADDRESS_KEY } from '../accounts/queries.ts';
import { bytesBefore, storedBytes } from '../db/bytes-before.ts';
import type { Db } from '../db/database.ts';
import { likePattern, waysToWrite } from '../submissions/search/queries.ts';
import { fileLinkHours } from '../workspaces/queries.ts';
import { type PersonValue, richTextIds } from './person-value.ts';

export interface PersonForm {
  id: number;
  slug: string;
  title: string;
  workspace_id: number;
  /** Current fields, then removed ones. */
  properties: Property[];
  endings: readonly Pick<Ending, 'id' | 'name'>[];
}

export interface PersonSubmission {
  id: number;
  public_id: string;
  status: string;
  data: Answers;
  attribution: JsonValue;
  completion_time: number | null;
  created_at: Date;
  updated_at: Date;
  /** null outside of the trash */
  trashed_at: Date | null;
  /** Id of the ending that it reached. */
  ending: string | null;
}

/** Forms read by one statement. */
export const FORMS = 100;
/** Rows that one statement reads, in a matter of milliseconds, and the most submissions that it returns as candidates. */
export const SCAN = 2_500;
export const CANDIDATES = 100;
/**
 * Bytes of their answers (see `bytesBefore`). As text they are at most nine times as many, which takes a tenth of a
 * second.
 */
export const STEP_BYTES = 1024 ** 2;

const COLUMNS = sql`id, public_id, status, data, attribution, completion_time, created_at, updated_at, trashed_at, ending`;

/** The next forms of a workspace, or of all workspaces with null. @param most forms to read */
export async function findForms(
  db: Db,
  workspaceId: number | null,
  fromId: number,
  most = FORMS,
): Promise<PersonForm[]> {
  const rows = await db
    .selectFrom('forms')
    .select(['id', 'slug', 'title', 'workspace_id', 'properties', 'removed_properties'])
    .select(sql<PersonForm['endings'] | null>`presentation -> 'endings'`.as('endings'))
    .where('id', '>=', fromId)
    .$if(workspaceId !== null, (query) => query.where('workspace_id', '=', workspaceId ?? 0))
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(({ properties, removed_properties, endings, ...row }) => ({
    ...row,
    endings: endings ?? [],
    properties: [properties, removed_properties].flat() as unknown as Property[],
  }));
}

/**
 * Searches the next submissions of a form for answers, present or former, that may be the value.
 * @param after id of the last one searched; 0 to begin
 * @returns candidates in order, and where to continue; null at the end of the form
 */
export async function findCandidates(
  db: Db,
  { id: formId, properties }: Pick<PersonForm, 'id' | 'properties'>,
  after: number,
  value: PersonValue,
): Promise<{ candidates: PersonSubmission[]; last: number } | null> {
  const rich = richTextIds(properties);
  const bytes = sql<number>`(${storedBytes('data')} + coalesce(earlier.bytes, 0))`;
  // Limits the rows before searching them, whatever the planner knows of the tables.
  const { rows } = await sql<PersonSubmission & { looked_to: number | null }>`
    with next as materialized (
      select ${COLUMNS} from kept_submissions where form_id = ${formId} and id > ${after} order by id limit ${SCAN}
    ),
    earlier as materialized (
      select submission_id, sum(${storedBytes('answers')}) as bytes from submission_changes
      where form_id = ${formId} and submission_id > ${after} and submission_id <= (select max(id) from next)
      group by submission_id
    ),
    looked_at as materialized (
      select ${COLUMNS} from (
        select next.*, ${bytesBefore(bytes, sql`id`)} as bytes_before
        from next left join earlier on earlier.submission_id = next.id
      ) measured
      where bytes_before < ${STEP_BYTES}
    ),
    candidates as (
      select * from looked_at
      where ${mayHold('data', value, rich)} or id in (
        select submission_id from submission_changes
        where form_id = ${formId} and submission_id > ${after} and submission_id <= (select max(id) from looked_at)
          and ${mayHold('answers', value, rich)})
      order by id limit ${CANDIDATES}
    )
    select candidates.*, ends.looked_to
    from (select max(id) as looked_to from looked_at) ends left join candidates on true
    order by candidates.id`.execute(db);
  return stepOf(rows);
}

/**
 * A step of a search by id.
 * @param rows each with the last id that was looked at; one without an id when there are no candidates
 * @returns null when nothing was left to look at
 */
export function stepOf<Row extends { id: number; looked_to: number | null }>(rows: readonly Row[]) {
  const lookedTo = rows[0]?.looked_to ?? null;
  if (lookedTo === null) return null;
  const found = rows.filter(({ id }) => id !== null);
  return {
    candidates: found.map(({ looked_to: _, ...row }) => row),
    last: found.length < CANDIDATES ? lookedTo : (found.at(-1)?.id ?? lookedTo),
  };
}

/** These submissions in their present state. */
export async function findSubmissionsAgain(
  db: Db,
  formId: number,
  ids: number[],
): Promise<PersonSubmission[]> {
  const { rows } = await sql<PersonSubmission>`
    select ${COLUMNS} from kept_submissions where form_id = ${formId} and id = any(${ids}::bigint[])`.execute(
    db,
  );
  return rows;
}

export interface PersonDraft {
  form_id: number;
  id_hash: Buffer;
  answers: Answers;
  updated_at: Date;
}

/** Identifies drafts and orders them. */
export type DraftPosition = Pick<PersonDraft, 'form_id' | 'id_hash'>;

/**
 * Searches the next drafts of visitors for those that may hold the value.
 * @param after the last one searched
 * @returns candidates in order, and where to continue; null at the end
 */
export async function findDraftCandidates(
  db: Db,
  workspaceId: number | null,
  after: DraftPosition,
  value: PersonValue,
): Promise<{ candidates: PersonDraft[]; last: DraftPosition } | null> {
  const { rows } = await sql<PersonDraft & { last_form: number; last_hash: Buffer }>`
    with looked_at as materialized (
      select form_id, id_hash, answers, updated_at from (
        select *, ${bytesBefore(storedBytes('answers'), sql`form_id, id_hash`)} as bytes_before
        from (
          select form_drafts.* from form_drafts join forms on forms.id = form_id
          where (${workspaceId}::bigint is null or workspace_id = ${workspaceId})
            and (form_id, id_hash) > (${after.form_id}::bigint, ${after.id_hash}::bytea)
          order by form_id, id_hash limit ${SCAN}
        ) next
      ) measured
      where bytes_before < ${STEP_BYTES}
    ),
    candidates as (select * from looked_at where ${mayHold('answers', value)})
    select candidates.*, last_form, last_hash
    from (
      select form_id as last_form, id_hash as last_hash from looked_at order by form_id desc, id_hash desc limit 1
    ) ends left join candidates on true
    order by form_id, id_hash`.execute(db);
  const [first] = rows;
  if (!first) return null;
  const candidates = rows.filter(({ form_id }) => form_id !== null);
  return { candidates, last: { form_id: first.last_form, id_hash: first.last_hash } };
}

/** Invitations to this address. */
export async function findInvites(db: Db, workspaceId: number | null, { text, kind }: PersonValue) {
  if (kind !== 'email') return [];
  return db
    .selectFrom('workspace_invites')
    .select(['id', 'workspace_id', 'email', 'role', 'status', 'created_at'])
    .where(ADDRESS_KEY, 'in', addressKeys(text))
    .$if(workspaceId !== null, (query) => query.where('workspace_id', '=', workspaceId ?? 0))
    .orderBy('id')
    .execute();
}

/** Earlier erasures of the same value, in a workspace or anywhere. */
export async function findErasures(db: Db, workspaceId: number | null, hash: string) {
  return db
    .selectFrom('erasures')
    .select(['id', 'workspace_id', 'erased_at', 'counts'])
    .where('value_hash', '=', hash)
    .$if(workspaceId !== null, (query) => query.where('workspace_id', '=', workspaceId ?? 0))
    .orderBy('id')
    .execute();
}

/**
 * Excludes most rows by their JSON as text; the others are compared value by value.
 * @param rich ids of rich texts, where markup may divide the value
 */
export function mayHold(column: string, value: PersonValue, rich: readonly string[] = []) {
  const patterns = waysToWrite(value.text).map(likePattern);
  const holds =
    value.kind === 'email'
      ? sql`${sql.ref(column)}::text ilike any (${patterns}::text[])`
      : sql`${sql.ref(column)}::text like any (${patterns}::text[])`;
  return rich.length === 0 ? holds : sql`(${holds} or ${mayHoldInMarkup(column, value, rich)})`;
}

/** What is no letter or digit: the same in both regular expressions, whatever the locale of the database. */
const NO_LETTERS = String.raw`[\u0001-/:-@\[-\u0060{-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]`;
const MARKUP = `<[^<>]*>|&[#a-z0-9]+;|${NO_LETTERS}`;

/** Compares only letters and digits, so that it does not matter where tags and blanks are. */
function mayHoldInMarkup(column: string, { text }: PersonValue, rich: readonly string[]) {
  const bare = likePattern(text.replace(new RegExp(NO_LETTERS, 'g'), ''));
  return sql`exists (
    select from jsonb_each_text(case jsonb_typeof(${sql.ref(column)}) when 'object' then ${sql.ref(column)} else '{}' end) answer
    where answer.key = any(${[...rich]}::text[]) and regexp_replace(answer.value, ${MARKUP}, '', 'gi') ilike ${bare})`;
}

/** Lifetime of links that leave a workspace, in hours; null without such a setting. */
export async function findLinkPolicy(db: Db, workspaceId: number): Promise<number | null> {
  const row = await db
    .selectFrom('workspaces')
    .select(fileLinkHours().as('hours'))
    .where('id', '=', workspaceId)
    .executeTakeFirst();
  return row?.hours ?? null;
}
