import { sql } from 'kysely';
import type { FieldOption, OptionPlaces } from '../../fields/option-places.ts';
import type { Db, Transaction } from '../db/database.ts';

/**
 * Makes the limits of a form's options those it was just saved with, in the transaction that saved it: nothing is stored for the
 * form meanwhile. Of an option that had no limit so far it is counted how many have chosen it, which reads all submissions.
 */
export async function setOptionPlaces(
  trx: Transaction,
  formId: number,
  limited: readonly OptionPlaces[],
): Promise<void> {
  if (limited.length === 0) {
    await trx.deleteFrom('option_places').where('form_id', '=', formId).execute();
    return;
  }
  const fields = limited.map(({ field }) => field);
  const options = limited.map(({ option }) => option);
  const places = limited.map((one) => one.places);
  await sql`
    with wanted as (
      select * from unnest(${fields}::text[], ${options}::text[], ${places}::bigint[]) as wanted (field, option, places)
    ),
    dropped as (
      delete from option_places where form_id = ${formId} and (field, option) not in (select field, option from wanted)
    ),
    kept as (
      update option_places set places = wanted.places from wanted
      where form_id = ${formId} and (option_places.field, option_places.option) = (wanted.field, wanted.option)
      returning wanted.field, wanted.option
    ),
    added as materialized (
      select * from wanted where (field, option) not in (select field, option from kept)
    )
    insert into option_places (form_id, field, option, places, taken)
    select ${formId}, field, option, places, coalesce(chosen.count, 0)
    from added left join (
      select field, option, count(*)
      from submissions join added on (data -> field) ? option
      where form_id = ${formId} and status = 'completed'
      group by field, option
    ) chosen using (field, option)`.execute(trx);
}

/**
 * Which of these options have no place left for a submission. Those that it holds already it may keep. Under the form's lock the answer
 * stays true until the transaction ends.
 */
export async function findFullOptions(
  db: Db,
  formId: number,
  wanted: readonly FieldOption[],
  publicId: string,
): Promise<FieldOption[]> {
  if (wanted.length === 0) return [];
  const { rows } = await sql<FieldOption>`
    select field, option
    from option_places join ${listed(wanted)} using (field, option)
    where form_id = ${formId} and taken >= places and not exists (
      select from submissions
      where form_id = ${formId} and public_id = ${publicId}::uuid and status = 'completed' and (data -> field) ? option)`.execute(
    db,
  );
  return rows;
}

/** Counts the places of submissions that were just inserted, one for each mention. The caller holds the form's lock. */
export async function takePlaces(
  trx: Transaction,
  formId: number,
  taken: readonly FieldOption[],
): Promise<void> {
  if (taken.length === 0) return;
  await sql`
    update option_places set taken = taken + wanted.count
    from (select field, option, count(*) from ${listed(taken)} group by field, option) wanted
    where form_id = ${formId} and (option_places.field, option_places.option) = (wanted.field, wanted.option)`.execute(
    trx,
  );
}

/** As rows of `wanted (field, option)`. */
function listed(options: readonly FieldOption[]) {
  const fields = options.map(({ field }) => field);
  const names = options.map(({ option }) => option);
  return sql`unnest(${fields}::text[], ${names}::text[]) as wanted (field, option)`;
}

/** The options of a form with a limit, by id of the field and name, and how many have chosen each. */
export function listOptionPlaces(db: Db, formId: number) {
  return db
    .selectFrom('option_places')
    .select(['field as property_id', 'option', 'places as max_submissions_count', 'taken'])
    .where('form_id', '=', formId)
    .orderBy('field')
    .orderBy('option')
    .execute();
}
