import type pg from 'pg';
import type { ArrayWriter } from '../../db/array-writer.ts';
import type { HeldConnection } from '../../db/held-connection.ts';
import { LEASE_SECONDS } from '../../deliveries/outbox-queries.ts';
import {
  batchParameters,
  endingParameters,
  type GroupedBatch,
  groupBatch,
  keyParameters,
  type NewSubmission,
  rankParameters,
} from './batch.ts';
import { BY_FORM, BY_KEY, BY_PLACES, type Judging, NOT_THERE, SUBMISSIONS } from './judging-queries.ts';
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
  const hasEndings = submissions.some(({ ending }) => ending !== null);
  const statement = STATEMENTS[hasEndings ? 'ended' : 'plain'][skipsLocked ? 'skip locked' : 'wait'][judging];
  const [answer] = await connection.query<AnswerRow>({
    ...statement,
    values: [
      ...batchParameters(batch, outgoing, writer),
      ...(judging === 'by form' ? rankParameters(batch, writer) : keyParameters(batch, writer)),
      ...(hasEndings ? endingParameters(batch, writer) : []),
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

/** One row per delivery: d is its number among the deliveries, n the number of its submission; both from 1. */
const DELIVERIES = 'generate_subscripts($8::int[], 1) as d, unnest($8::int[]) as n';

/**
 * One statement, one commit. The lock on the counters (in order of form, so that no two batches wait for each other) makes maximum
 * numbers exact and keeps a form from being deleted under its submissions; the lock on the form keeps its revision. Only accepted
 * submissions get ids. The plan lives as long as the connection: made while tables are small, a join would later read millions of
 * rows, so such tables are asked row by row (lateral).
 *
 * Parameters stay arrays: long values are unnested only where they are stored, numbers are read by their subscript.
 */
const storeStatement = ({ forms, hasEndings }: Variant, { parameters, accepting, storing }: Judging) => `
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
  insert into submissions (form_id, id, public_id, status, data, attribution, completion_time${hasEndings ? ', ending' : ''})
  select ($1::bigint[])[g], ids[n], public_id::uuid, 'completed', data, attribution, completion_time${hasEndings ? ', ending' : ''}
  from ids cross join (
    select ${SUBMISSIONS}, unnest($4::text[]) as public_id,
      unnest($5::jsonb[]) as data, unnest($6::jsonb[]) as attribution, unnest($7::float8[]) as completion_time${
        hasEndings ? `, unnest($${parameters + 1}::text[]) as ending` : ''
      }
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

/** Forms without endings pay nothing for those that have some. */
interface Variant {
  forms: 'wait' | 'skip locked';
  hasEndings: boolean;
}

const STATEMENTS = { plain: statementsFor(false), ended: statementsFor(true) };

function statementsFor(hasEndings: boolean) {
  const suffix = hasEndings ? '-ended' : '';
  return {
    wait: statementsOf({ forms: 'wait', hasEndings }, `store-submissions${suffix}`),
    'skip locked': statementsOf({ forms: 'skip locked', hasEndings }, `store-unless-locked${suffix}`),
  };
}

function statementsOf(variant: Variant, name: string) {
  const statement = (suffix: string, judging: Judging) => {
    return { name: name + suffix, text: storeStatement(variant, judging), rowMode: 'array' };
  };
  return {
    'by form': statement('', BY_FORM),
    'by key': statement('-by-key', BY_KEY),
    'by places': statement('-by-places', BY_PLACES),
  };
}
