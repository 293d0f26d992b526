import { sql } from 'kysely';
import { fieldPlacesOf } from '../../fields/choices/option-places.ts';
import type { CompiledForm } from '../../fields/compile-form.ts';
import { type Answers, type JsonValue, ownMember, type Property } from '../../fields/property.ts';
import type { Db, Transaction } from '../db/database.ts';

/** An option of a field, by the field's id and the option's name. */
export interface FieldOption {
  field: string;
  option: string;
}

/**
 * Brings the limits of a form's options in line with the form, in the transaction that saves it: no submission is stored for the
 * form meanwhile. A renamed option keeps its former names, unless other options now have them. If an option is new or its names have
 * changed, all submissions are read to count how many have chosen it; equal answers are compared with the options once.
 */
export async function setOptionPlaces(
  trx: Transaction,
  formId: number,
  properties: readonly Property[],
): Promise<void> {
  const fields = fieldPlacesOf(properties);
  if (fields.length === 0) {
    await trx.deleteFrom('option_places').where('form_id', '=', formId).execute();
    return;
  }
  await sql`
    with wanted as materialized (
      select fields.field, limited.key as option_key, limited.name as option, limited.places,
        (known.option, known.former_names) as before,
        array(
          select name from unnest(known.former_names || known.option) as name
          where name <> limited.name and not names ? name
        ) as former_names
      from jsonb_to_recordset(${JSON.stringify(fields)}::jsonb) as fields (field text, limited jsonb, names jsonb)
      cross join jsonb_to_recordset(fields.limited) as limited (key text, name text, places bigint)
      left join option_places known
        on known.form_id = ${formId} and (known.field, known.option_key) = (fields.field, limited.key)
    ),
    dropped as (
      delete from option_places
      where form_id = ${formId} and (field, option_key) not in (select field, option_key from wanted)
    ),
    counted as (select * from wanted where before is distinct from (option, former_names)),
    answers as (
      select field, data -> field as answer, count(*) as times
      from submissions cross join (select distinct field from counted) as fields
      where form_id = ${formId} and status = 'completed'
      group by field, answer
    ),
    chosen as (
      select field, option_key, sum(times) as count
      from answers join counted using (field)
      where answer ?| (former_names || option)
      group by field, option_key
    )
    insert into option_places (form_id, field, option_key, option, former_names, places, taken)
    select ${formId}, field, option_key, option, former_names, places, coalesce(chosen.count, 0)
    from wanted left join chosen using (field, option_key)
    on conflict (form_id, field, option_key) do update
    set option = excluded.option, former_names = excluded.former_names, places = excluded.places,
      taken = case
        when (option_places.option, option_places.former_names) = (excluded.option, excluded.former_names)
          then option_places.taken
        else excluded.taken end`.execute(trx);
}

/** A submission, and its answers to fields whose options have a limit. */
export interface PlacesAsked {
  formId: number;
  publicId: string;
  answers: Answers;
}

/**
 * For each submission the options it chooses that have no place left; an option that it has chosen before it may keep. Submissions
 * are judged independently of each other. Under the form's lock the result stays true until the transaction ends.
 */
export async function findFullOptions(db: Db, asked: readonly PlacesAsked[]): Promise<FieldOption[][]> {
  const { rows } = await sql<FieldOption & { n: number }>`
    select n, field, option
    from (
      select (place - 1)::int as n, (asked ->> 'formId')::bigint as form_id, (asked ->> 'publicId')::uuid as public_id,
        asked -> 'answers' as answers
      from jsonb_array_elements(${JSON.stringify(asked)}::jsonb) with ordinality as given (asked, place)
    ) asked
    join option_places using (form_id)
    where taken >= places and (answers -> field) ?| (former_names || option) and not exists (
      select from submissions
      where submissions.form_id = asked.form_id and submissions.public_id = asked.public_id and status = 'completed'
        and (data -> field) ?| (former_names || option))`.execute(db);
  const full = asked.map((): FieldOption[] => []);
  for (const { n, field, option } of rows) full[n]?.push({ field, option });
  return full;
}

/** Counts the places that these answers take. Their submissions were just inserted as complete, and the caller holds the form's lock. */
export async function takePlaces(
  trx: Transaction,
  formId: number,
  submissions: readonly (Answers | null)[],
): Promise<void> {
  const choosing = submissions.filter((answers) => answers !== null);
  if (choosing.length === 0) return;
  await sql`
    update option_places set taken = taken + chosen.count
    from (
      select field, option_key, count(*)
      from option_places
      join jsonb_array_elements(${JSON.stringify(choosing)}::jsonb) as answers (data)
        on (data -> field) ?| (former_names || option)
      where form_id = ${formId}
      group by field, option_key
    ) chosen
    where form_id = ${formId}
      and (option_places.field, option_places.option_key) = (chosen.field, chosen.option_key)`.execute(trx);
}

/** Renames former names of options with a limit to present ones, as who chose an option by a former name has a place there. */
export async function withPresentNames(
  db: Db,
  { id, compiled }: { id: number; compiled: Pick<CompiledForm, 'answersForPlaces'> },
  answers: Answers,
): Promise<Answers> {
  if (compiled.answersForPlaces(answers) === null) return answers;
  const renamed = await db
    .selectFrom('option_places')
    .select(['field', 'option', 'former_names'])
    .where('form_id', '=', id)
    .where(sql<boolean>`former_names <> '{}'`)
    .execute();
  const named = { ...answers };
  for (const { field, option, former_names: formerNames } of renamed) {
    const answer = ownMember(named, field);
    const present = (name: JsonValue) => (formerNames.includes(String(name)) ? option : name);
    if (answer !== undefined)
      named[field] = Array.isArray(answer) ? [...new Set(answer.map(present))] : present(answer);
  }
  return named;
}

/** The form's options with a limit, and how many submissions have chosen each. */
export function listOptionPlaces(db: Db, formId: number) {
  return db
    .selectFrom('option_places')
    .select(['field as property_id', 'option', 'places as max_submissions_count', 'taken'])
    .where('form_id', '=', formId)
    .orderBy('field')
    .orderBy('option')
    .execute();
}
