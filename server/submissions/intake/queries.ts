import type pg from 'pg';
import type { ArrayWriter } from '../../db/array-writer.ts';
import type { HeldConnection } from '../../db/held-connection.ts';
import { LEASE_SECONDS } from '../../deliveries/outbox-queries.ts';
import {
  batchParameters,
  type GroupedBatch,
  groupBatch,
  keyParameters,
  type NewSubmission,
  rankParameters,
} from './batch.ts';
import type { BatchOutcome, IntakeOutcome, StoredBatch } from './outcomes.ts';
import type { Outgoing } from './outgoing.ts';

/** Why a submission is not stored. */
type Refusal = Exclude<IntakeOutcome['kind'], 'stored'>;

/** Each is a list, joined by commas. */
type AnswerRow = [
  /** By group: how many more submissions its form took before this batch, or `CHANGED` or `NOT_THERE`. */
  rooms: string,
  /** By group: how many completed submissions its form had before this batch. */
  counts: string,
  submissionIds: string,
  deliveryIds: string | null,
  /** By submission: why it was refused, if it was. null when the batch was judged by form only. */
  refusals: string | null,
];

/** Instead of the room of a form: its revision is another one. */
const CHANGED = -1;
/** Instead of the room of a form: it is gone or, where locks are not waited for, locked. */
const NOT_THERE = -2;
/** Room of a form without a maximum. */
const ENDLESS = 2 ** 31 - 1;

/** Whether the database takes writes on these connections. */
export async function takesWrites(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ state: string }>(
    `select current_setting('transaction_read_only') as state`,
  );
  return rows[0]?.state === 'off';
}

/**
 * Stores a batch in one statement, which is one commit.
 * @param connection with the settings `ROW_BY_ROW`
 * @param options.skipsLocked leaves out submissions of locked forms; otherwise the statement waits for the locks
 */
export async function storeSubmissions(
  connection: HeldConnection,
  submissions: readonly NewSubmission[],
  outgoing: readonly Outgoing[],
  { writer, skipsLocked }: { writer: ArrayWriter; skipsLocked: boolean },
): Promise<StoredBatch> {
  const batch = groupBatch(submissions);
  const judging = judgingFor(submissions);
  const statement = STATEMENTS[skipsLocked ? 'skip locked' : 'wait'][judging];
  const [answer] = await connection.query<AnswerRow>({
    ...statement,
    values: [
      ...batchParameters(batch, outgoing, writer),
      ...(judging === 'by form' ? rankParameters(batch, writer) : keyParameters(batch, writer)),
    ],
  });
  if (!answer) throw new Error('The statement that stores submissions answered nothing.');
  return readAnswer(batch, answer, skipsLocked ? 'locked' : 'stale');
}

/** The cheapest way that suffices: a batch without Idempotency-Keys and limited options does not pay for looking at each submission. */
function judgingFor(submissions: readonly NewSubmission[]) {
  if (submissions.some(({ takesPlaces }) => takesPlaces)) return 'by places';
  return submissions.some(({ idempotency }) => idempotency !== null) ? 'by key' : 'by form';
}

function readAnswer(
  { places }: GroupedBatch,
  [rooms, counts, submissionIds, deliveryIds, refusals]: AnswerRow,
  notThere: 'locked' | 'stale',
): StoredBatch {
  const ids = numbersIn(submissionIds);
  const left = numbersIn(rooms);
  places.forEach(({ group }, n) => {
    if (ids[n]) left[group - 1] = (left[group - 1] ?? 0) - 1;
  });
  const isEmpty = numbersIn(counts).map((count) => count === 0);
  const reasons = refusals?.split(',') as Refusal[] | undefined;
  const outcomes = places.map(({ group }, n): BatchOutcome => {
    const isFirst = isEmpty[group - 1] === true;
    if (ids[n]) {
      isEmpty[group - 1] = false;
      return { kind: 'stored', isFirst };
    }
    const room = left[group - 1] ?? NOT_THERE;
    if (room === NOT_THERE) return { kind: notThere };
    if (room === CHANGED) return { kind: 'stale' };
    const kind = reasons?.[n] ?? 'full';
    // It was refused as `full`, but one before it did not get in because of its key, so there is room: check it again.
    return { kind: kind === 'full' && room > 0 ? 'stale' : kind };
  });
  return { outcomes, submissionIds: ids, deliveryIds: numbersIn(deliveryIds ?? '') };
}

function numbersIn(list: string): number[] {
  return list === '' ? [] : list.split(',').map(Number);
}

/** One row per submission of the batch: n is its number in the batch, g the number of its group; both from 1. */
const SUBMISSIONS = 'generate_subscripts($3::int[], 1) as n, unnest($3::int[]) as g';
/** One row per delivery: d is its number among the deliveries, n the number of its submission; both from 1. */
const DELIVERIES = 'generate_subscripts($8::int[], 1) as d, unnest($8::int[]) as n';

/** Parts of the statement that differ by how submissions are judged. */
interface Judging {
  /** Common table expressions. The last one is `ids`: by submission, the id it gets, or 0 and the reason of the refusal. */
  accepting: string;
  /** Common table expressions that store more than submissions, counters and deliveries. */
  storing: string;
}

/** Only the form is looked at: its first submissions get in, as many as it has room for. */
const BY_FORM: Judging = {
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

const BY_KEY: Judging = { accepting: oneByOne(''), storing: '' };

/**
 * The rows of the options are locked too, or they would be read as they were when the statement began. A submission counts against
 * those after it in the batch even if it is refused itself: they are only called stale, and checked again.
 */
const BY_PLACES: Judging = {
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

/**
 * One statement, one commit. The lock on the counters (in order of form, so that no two batches wait for each other) makes maximum
 * numbers exact and keeps a form from being deleted under its submissions; the lock on the form keeps its revision. Only accepted
 * submissions get ids. The plan lives as long as the connection: made while tables are small, a join would later read millions of
 * rows, so such tables are asked row by row (lateral).
 *
 * Parameters stay arrays: long values are unnested only where they are stored, numbers are read by their subscript.
 */
const storeStatement = (forms: 'wait' | 'skip locked', { accepting, storing }: Judging) => `
with
-- the forms, locked, and how many more submissions each takes
gates as materialized (
  select g, wanted.form_id, coalesce(gate.completed_count, 0) as completed_count,
    case when gate.revision is null then ${NOT_THERE}
         when gate.revision <> wanted.revision then ${CHANGED}
         else greatest(coalesce(gate.max_submissions_count - gate.completed_count, ${ENDLESS}), 0) end as room
  from unnest($1::bigint[], $2::bigint[]) with ordinality wanted (form_id, revision, g)
  left join lateral (
    select counters.completed_count, forms.revision, forms.max_submissions_count
    from form_counters counters join forms on forms.id = wanted.form_id
    where counters.form_id = wanted.form_id
    for no key update of counters ${forms === 'wait' ? '' : forms} for share of forms ${forms === 'wait' ? '' : forms}
  ) gate on true
),
room as materialized (
  select array_agg(room order by g) as rooms, array_agg(completed_count order by g) as counts from gates
),
${accepting},
stored as (
  insert into submissions (form_id, id, public_id, status, data, attribution, completion_time)
  select ($1::bigint[])[g], ids[n], public_id::uuid, 'completed', data, attribution, completion_time
  from ids cross join (
    select ${SUBMISSIONS}, unnest($4::text[]) as public_id,
      unnest($5::jsonb[]) as data, unnest($6::jsonb[]) as attribution, unnest($7::float8[]) as completion_time
  ) incoming
  where ids[n] <> 0
),
counted as (
  update form_counters set completed_count = form_counters.completed_count + added.count
  from (
    select ($1::bigint[])[g] as form_id, count(*)
    from ids cross join (select ${SUBMISSIONS}) incoming
    where ids[n] <> 0 group by g
  ) added
  where form_counters.form_id = added.form_id
),
${storing}
delivery_ids as materialized (
  select array_agg(case when ids[n] <> 0 then nextval('delivery_ids') else 0 end order by d) as delivery_ids
  from ids cross join (select ${DELIVERIES}) outgoing
),
queued as (
  insert into deliveries (form_id, id, integration_id, submission_id, webhook_id, leased_until, body)
  select ($1::bigint[])[($3::int[])[n]], delivery_ids[d], integration_id, ids[n], webhook_id::uuid,
    case when is_taken then now() + make_interval(secs => ${LEASE_SECONDS}) end, head || ids[n] || tail
  from ids cross join delivery_ids cross join (
    select ${DELIVERIES}, unnest($9::bigint[]) as integration_id,
      unnest($10::text[]) as webhook_id, unnest($11::bool[]) as is_taken, unnest($12::text[]) as head, unnest($13::text[]) as tail
  ) outgoing
  where ids[n] <> 0
)
select array_to_string(rooms, ','), array_to_string(counts, ','), array_to_string(ids, ','), array_to_string(delivery_ids, ','),
  array_to_string(refusals, ',')
from room cross join ids cross join delivery_ids`;

const STATEMENTS = {
  wait: statementsOf('wait', 'store-submissions'),
  'skip locked': statementsOf('skip locked', 'store-unless-locked'),
};

function statementsOf(forms: 'wait' | 'skip locked', name: string) {
  const statement = (suffix: string, judging: Judging) => {
    return { name: name + suffix, text: storeStatement(forms, judging), rowMode: 'array' };
  };
  return {
    'by form': statement('', BY_FORM),
    'by key': statement('-by-key', BY_KEY),
    'by places': statement('-by-places', BY_PLACES),
  };
}
