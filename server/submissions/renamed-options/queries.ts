import { type RawBuilder, sql } from 'kysely';
import type { JsonValue } from '../../../fields/property.ts';
import { bytesBefore, storedBytes } from '../../db/bytes-before.ts';
import type { Db, Transaction } from '../../db/database.ts';
import type { Question } from './find-question.ts';

/** Submissions that one statement looks at, and bytes of their answers (see `bytesBefore`), so that it takes milliseconds. */
const SCAN = 2_500;
const STEP_BYTES = 1024 ** 2;

/** An option of a question, by the name under which it was chosen. */
interface ChosenOption {
  question: Question;
  name: string;
}

/**
 * Looks through the next submissions of a form, those in the trash and set aside too, for those that chose an option, without locking anything.
 * @param after id of the last one looked at before; 0 to begin
 * @returns their ids, and the id of the last one looked at; null when all have been looked at
 */
export async function findChoosing(
  db: Db,
  formId: number,
  option: ChosenOption,
  after: number,
): Promise<{ ids: number[]; last: number } | null> {
  const { rows } = await sql<{ ids: number[]; last: number | null }>`
    with next as materialized (
      select id, data from kept_submissions where form_id = ${formId} and id > ${after} order by id limit ${SCAN}
    ),
    looked_at as materialized (
      select id, data from (select next.*, ${bytesBefore(storedBytes('data'), sql`id`)} as bytes_before from next) measured
      where bytes_before < ${STEP_BYTES}
    )
    select coalesce(json_agg(id order by id) filter (where ${hasChosen(option)}), '[]') as ids, max(id) as last
    from looked_at`.execute(db);
  const { ids, last } = rows[0] ?? { ids: [], last: null };
  return last === null ? null : { ids, last };
}

/** The answers to a field in those of the submissions that chose the option. */
export async function findChosen(
  trx: Transaction,
  formId: number,
  option: ChosenOption,
  ids: number[],
): Promise<{ id: number; answer: JsonValue }[]> {
  const { rows } = await sql<{ id: number; answer: JsonValue }>`
    select id, data -> ${option.question.field} as answer from kept_submissions
    where form_id = ${formId} and id = any(${ids}::bigint[]) and ${hasChosen(option)}
    order by id`.execute(trx);
  return rows;
}

/**
 * Overwrites answers to a field. `updated_at` stays, as nobody has changed an answer, and retention counts from it. The caller holds
 * the lock of `lockFormGate`.
 */
export async function overwriteAnswers(
  trx: Transaction,
  formId: number,
  field: string,
  answers: readonly { id: number; answer: JsonValue }[],
): Promise<void> {
  await sql`
    with changed as (
      select id, jsonb_build_object(${field}::text, answer) as data
      from jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as given (id bigint, answer jsonb)
    ),
    trashed as (
      update trashed_submissions trash set data = trash.data || changed.data
      from changed where form_id = ${formId} and trash.id = changed.id
    ),
    set_aside as (
      update set_aside_submissions aside set data = aside.data || changed.data
      from changed where form_id = ${formId} and aside.id = changed.id
    )
    update submissions set data = submissions.data || changed.data
    from changed where form_id = ${formId} and submissions.id = changed.id`.execute(trx);
}

/** The operator `?` finds a text both as the whole answer and as an item of a list. */
function hasChosen({ question: { field, repeated }, name }: ChosenOption): RawBuilder<boolean> {
  if (repeated === null) return sql<boolean>`data -> ${field} ? ${name}`;
  return sql<boolean>`exists (
    select from jsonb_array_elements(case jsonb_typeof(data -> ${field}) when 'array' then data -> ${field} else '[]' end) as entry
    where entry -> ${repeated} ? ${name})`;
}
