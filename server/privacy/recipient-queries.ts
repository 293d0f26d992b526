import { sql } from 'kysely';
import type { JsonValue } from '../../fields/property.ts';
import { caselessAddress } from '../accounts/email.ts';
import { bytesBefore, storedBytes } from '../db/bytes-before.ts';
import type { Db } from '../db/database.ts';
import type { PersonValue } from './person-value.ts';
import { CANDIDATES, FORMS, mayHold, SCAN, STEP_BYTES, stepOf } from './search-queries.ts';

export interface PersonRecipient {
  id: number;
  form_id: number;
  name: string | null;
  email: string | null;
  prefill: Record<string, JsonValue> | null;
  mails_sent: number;
  mailed_at: Date | null;
  opened_at: Date | null;
  answered_at: Date | null;
  declined_at: Date | null;
  created_at: Date;
  /** Submission by the link. */
  submission_id: number | null;
  /** Other submissions by it: begun before, sent before the link was reopened, in the trash, or waiting for their sender. */
  earlier_ids: number[];
  /** Found by address or name; otherwise the value is a prefill for somebody else. */
  is_person: boolean;
}

/** The next forms with recipients of a workspace, or of all workspaces with null. */
export async function findFormsWithRecipients(
  db: Db,
  workspaceId: number | null,
  after: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('forms')
    .innerJoin('personal_links', 'form_id', 'forms.id')
    .select('forms.id')
    .where('forms.id', '>', after)
    .$if(workspaceId !== null, (query) => query.where('workspace_id', '=', workspaceId ?? 0))
    .orderBy('forms.id')
    .limit(FORMS)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Searches the next recipients of a form by this address or name, and by prefills that may contain it.
 * @param after id of the last one searched; 0 to begin
 * @returns candidates in order, and where to continue; null at the end of the form
 */
export async function findRecipientCandidates(
  db: Db,
  formId: number,
  after: number,
  value: PersonValue,
): Promise<{ candidates: PersonRecipient[]; last: number } | null> {
  const { rows } = await sql<PersonRecipient & { looked_to: number | null }>`
    with looked_at as materialized (
      select * from (
        select *, ${bytesBefore(storedBytes('prefill'), sql`id`)} as bytes_before
        from (select * from recipients where form_id = ${formId} and id > ${after} order by id limit ${SCAN}) next
      ) measured
      where bytes_before < ${STEP_BYTES}
    ),
    candidates as (
      select ${columns(value)} from looked_at r where ${isIt(value)} or ${mayHold('prefill', value)}
      order by id limit ${CANDIDATES}
    )
    select candidates.*, ends.looked_to
    from (select max(id) as looked_to from looked_at) ends left join candidates on true
    order by candidates.id`.execute(db);
  return stepOf(rows);
}

/** These recipients of a form in their present state. */
export async function findRecipientsAgain(
  db: Db,
  formId: number,
  ids: number[],
  value: PersonValue,
): Promise<PersonRecipient[]> {
  const { rows } = await sql<PersonRecipient>`
    select ${columns(value)} from recipients r where form_id = ${formId} and id = any(${ids}::bigint[])
    order by id`.execute(db);
  return rows;
}

function columns(value: PersonValue) {
  return sql`id, form_id, name, email, prefill, mails_sent, mailed_at, opened_at, answered_at, declined_at, created_at,
    (${isIt(value)}) is true as is_person,
    (select id from submissions where form_id = r.form_id and public_id = r.submission_public_id) as submission_id,
    (select coalesce(json_agg(id order by id), '[]') from kept_submissions
      where form_id = r.form_id and (public_id = any(r.earlier_submissions)
        or public_id = r.submission_public_id and (trashed_at is not null or status = 'set_aside'))) as earlier_ids`;
}

function isIt({ text, kind }: PersonValue) {
  return kind === 'email' ? sql`email_key = ${caselessAddress(text)}` : sql`name = ${text}`;
}
