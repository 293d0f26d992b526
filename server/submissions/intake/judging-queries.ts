/** Instead of the room of a form: it is gone or, where locks are not waited for, locked. */
export const NOT_THERE = -2;

/** One row per submission of the batch: n is its number in the batch, g the number of its group; both from 1. */
export const SUBMISSIONS = 'generate_subscripts($3::int[], 1) as n, unnest($3::int[]) as g';

/** Parts of the statement that differ by how submissions are judged. */
export interface Judging {
  /** How many parameters it takes; one more where endings are reached. */
  parameters: number;
  /** Common table expressions. The last one is `ids`: by submission, the id it gets, or 0 and the reason of the refusal. */
  accepting: string;
  /** Common table expressions that store more than submissions, counters and deliveries. */
  storing: string;
}

/** Only the form is looked at: its first submissions get in, as many as it has room for. */
export const BY_FORM: Judging = {
  parameters: 14,
  accepting: `
ids as materialized (
  select array_agg(case when rank <= rooms[g] then nextval('submission_ids') else 0 end order by n) as ids, null::text[] as refusals
  from room cross join (
    select ${SUBMISSIONS}, unnest($14::int[]) as rank
  ) incoming
)`,
  storing: '',
};

/** Each submission is looked at. @param crowded name of the list of those whose option has no place left, or '' */
const oneByOne = (crowded: string): string => `
-- the reason to refuse each submission; null if there is none but the room of its form
judged as materialized (
  select incoming.*,
    case when used.key is not null then 'used_key'
         -- of two with one key in this batch only the first may take a place
         when incoming.key is not null and row_number() over (partition by g, incoming.key order by n) > 1 then 'used_key'
         ${crowded && "when n in (select n from crowded) then 'stale'"}
         end as refusal
  from (
    select ${SUBMISSIONS}, unnest($4::text[]) as public_id, unnest($14::text[]) as key
  ) incoming
  left join lateral (
    select key from idempotency_keys where form_id = ($1::bigint[])[incoming.g] and key = incoming.key limit 1
  ) used on true
),
-- ahead: how many submissions before it in the batch may take a place of its form
ranked as materialized (
  select *, count(*) filter (where refusal is null) over (partition by g order by n rows unbounded preceding exclude current row) as ahead
  from judged
),
-- uses up the Idempotency-Keys; of several transactions that use the same one at this moment only one gets it
keyed as (
  insert into idempotency_keys (form_id, key, body_hash, submission_public_id, was_partial, was_first)
  select ($1::bigint[])[g], key, ($15::bytea[])[n], public_id::uuid, false, counts[g] + ahead = 0
  from ranked cross join room
  where refusal is null and key is not null and ahead < rooms[g]
  on conflict do nothing
  returning submission_public_id
),
ids as materialized (
  select
    array_agg(
      case when refusal is null and ahead < rooms[g]
          and (key is null or public_id::uuid in (select submission_public_id from keyed))
        then nextval('submission_ids') else 0 end order by n) as ids,
    -- 'full' wins over other reasons: checking again would end there too, and a used key is looked up after any refusal
    array_agg(case when ahead >= rooms[g] then 'full' else coalesce(refusal, 'used_key') end order by n) as refusals
  from ranked cross join room
)`;

export const BY_KEY: Judging = { parameters: 15, accepting: oneByOne(''), storing: '' };

/**
 * The rows of the options are locked too, or they would be read as they were when the statement began. A submission counts against
 * those after it in the batch even if it is refused itself: they are only called stale, and checked again.
 */
export const BY_PLACES: Judging = {
  parameters: 15,
  accepting: `
options as materialized (
  select gates.g, option.*
  from gates cross join lateral (
    select * from option_places where option_places.form_id = gates.form_id for no key update
  ) option
  where gates.room <> ${NOT_THERE}
),
choices as materialized (
  select incoming.n, options.*
  from (
    select ${SUBMISSIONS}, unnest($5::jsonb[]) as data
  ) incoming join options on options.g = incoming.g and (incoming.data -> options.field) ?| (options.former_names || options.option)
),
crowded as materialized (
  select n
  from (
    select n, taken + row_number() over (partition by g, field, option_key order by n) > places as is_over from choices
  ) choice
  where is_over
),${oneByOne('crowded')}`,
  storing: `
seated as (
  update option_places set taken = option_places.taken + added.count
  from (
    select choices.form_id, field, option_key, count(*)
    from choices cross join ids where ids[n] <> 0 group by choices.form_id, field, option_key
  ) added
  where option_places.form_id = added.form_id
    and (option_places.field, option_places.option_key) = (added.field, added.option_key)
),`,
};
