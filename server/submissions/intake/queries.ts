import type { HeldConnection } from '../../db/held-connection.ts';
import { LEASE_SECONDS } from '../../deliveries/outbox-queries.ts';
import type { Idempotency } from '../acceptance/replay.ts';
import type { NewDelivery } from './outgoing.ts';

/** A complete, checked submission on its way into the database. */
export interface NewSubmission {
  formId: number;
  /** The revision of the form it was checked against. */
  formRevision: number;
  publicId: string;
  /** The answers as JSON text. */
  data: string;
  /** As JSON text, or null. */
  attribution: string | null;
  /** Seconds. */
  completionTime: number | null;
  idempotency: Pick<Idempotency, 'key' | 'bodyHash'> | null;
  /** Its answers may choose options with a limit. */
  takesPlaces: boolean;
  deliveries: NewDelivery[];
}

/** What became of a submission. */
export type IntakeOutcome =
  /** Committed, with its counters, deliveries and idempotency key. */
  | { kind: 'stored'; isFirst: boolean }
  /** The form changed or went away since the submission was checked, or an option it chooses has no place left: look again. */
  | { kind: 'stale' }
  /** The form has all the submissions it takes. */
  | { kind: 'full' }
  /** The Idempotency-Key has been used. */
  | { kind: 'used_key' };

/** The same in a batch that does not wait for locks: the form is locked, or gone. */
export type BatchOutcome = IntakeOutcome | { kind: 'locked' };

/** What the statement answers for each submission; the ids are those of its deliveries that were taken, joined by commas. */
export type StoredRow = [
  kind: BatchOutcome['kind'],
  isFirst: boolean,
  submissionId: number | null,
  ids: string | null,
];

/**
 * Stores a batch in one statement, which is one commit.
 * @param connection with `INTAKE_OPTIONS`
 * @param outgoing the deliveries and the bytes of their bodies, of `outgoingParameters`
 * @param options.skipsLocked what belongs to forms that somebody has locked is left alone; else the statement waits
 * @returns what became of each, in the order of the batch
 */
export function storeSubmissions(
  connection: HeldConnection,
  batch: readonly NewSubmission[],
  outgoing: readonly [deliveries: string, bodies: Buffer],
  { skipsLocked }: { skipsLocked: boolean },
): Promise<StoredRow[]> {
  const places = batch.some(({ takesPlaces }) => takesPlaces) ? 'with places' : 'without places';
  const statement = STATEMENTS[skipsLocked ? 'skip locked' : 'wait'][places];
  return connection.query<StoredRow>({ ...statement, values: [rowsOf(batch), ...outgoing] });
}

function rowsOf(batch: readonly NewSubmission[]): string {
  let text = '[';
  batch.forEach((item, index) => {
    const { idempotency } = item;
    text +=
      `${index === 0 ? '' : ','}{"n":${index},"form_id":${item.formId},"revision":${item.formRevision}` +
      `,"public_id":"${item.publicId}","data":${item.data},"attribution":${item.attribution ?? 'null'}` +
      `,"completion_time":${item.completionTime ?? 'null'}`;
    if (idempotency)
      text += `,"key":${JSON.stringify(idempotency.key)},"body_hash":"\\\\x${idempotency.bodyHash.toString('hex')}"`;
    text += '}';
  });
  return `${text}]`;
}

/** What batches cost nothing that choose no option with a limit. */
const NO_PLACES = { judging: '', taking: '' };

/**
 * The rows of the options are locked too, or they would be read as they were when the statement began. Who comes before in the batch
 * counts, even when he is refused: whoever is sent away for him looks again.
 */
const PLACES: typeof NO_PLACES = {
  judging: `
options as materialized (
  select option.*
  from gates cross join lateral (
    select * from option_places where option_places.form_id = gates.form_id for no key update
  ) option
),
choices as materialized (
  select incoming.n, options.*
  from incoming join options on options.form_id = incoming.form_id
    and (incoming.data -> options.field) ?| (options.former_names || options.option)
),
crowded as materialized (
  select n
  from (
    select n, taken + row_number() over (partition by form_id, field, option_key order by n) > places as is_over from choices
  ) choice
  where is_over
),`,
  taking: `
seated as (
  update option_places set taken = option_places.taken + added.count
  from (
    select choices.form_id, field, option_key, count(*)
    from choices join accepted on accepted.n = choices.n group by choices.form_id, field, option_key
  ) added
  where option_places.form_id = added.form_id
    and (option_places.field, option_places.option_key) = (added.field, added.option_key)
),`,
};

/**
 * One statement, one commit. The lock on the counters (in order of form, so that no two batches wait for each
 * other) makes caps exact and keeps a form from being deleted under its submissions; the lock on the form keeps
 * its revision. Numbers are given out to what is accepted only. The plan is kept for as long as the connection, so
 * what may be a table of millions is asked row by row (lateral): planned for a small one, a join would read it all.
 */
const storeStatement = (forms: 'wait' | 'skip locked', { judging, taking }: typeof NO_PLACES) => `
with incoming as materialized (
  select * from jsonb_to_recordset($1::jsonb) as row (
    n int, form_id bigint, revision bigint, public_id uuid, data jsonb, attribution jsonb, completion_time float8,
    key text, body_hash bytea)
),
-- the forms, locked
gates as materialized (
  select gate.*
  from (select distinct form_id from incoming order by form_id) wanted
  cross join lateral (
    select counters.form_id, counters.completed_count, forms.revision, forms.max_submissions_count
    from form_counters counters join forms on forms.id = wanted.form_id
    where counters.form_id = wanted.form_id
    for no key update of counters ${forms === 'wait' ? '' : forms} for share of forms ${forms === 'wait' ? '' : forms}
  ) gate
),
${judging}
-- why each is refused; null where nothing speaks against it
judged as materialized (
  select incoming.n, incoming.form_id, incoming.public_id, incoming.key, gates.completed_count, gates.max_submissions_count,
    case when gates.form_id is null then '${forms === 'wait' ? 'stale' : 'locked'}'
         when gates.revision <> incoming.revision then 'stale'
         ${judging && "when incoming.n in (select n from crowded) then 'stale'"}
         when used.key is not null then 'used_key'
         -- of two with one key in this batch only the first may take a place
         when incoming.key is not null
           and row_number() over (partition by incoming.form_id, incoming.key order by incoming.n) > 1
           then 'used_key' end as refusal
  from incoming
  left join gates on gates.form_id = incoming.form_id
  left join lateral (
    select key from idempotency_keys where form_id = incoming.form_id and key = incoming.key limit 1
  ) used on true
),
-- the place each would have among those of its form
ranked as materialized (
  select *, completed_count + count(*) filter (where refusal is null) over (partition by form_id order by n) as place
  from judged
),
-- Idempotency-Keys, each spent once whoever else stores at this moment
keyed as (
  insert into idempotency_keys (form_id, key, body_hash, submission_public_id, was_partial, was_first)
  select ranked.form_id, ranked.key, incoming.body_hash, ranked.public_id, false, ranked.place = 1
  from ranked join incoming on incoming.n = ranked.n
  where refusal is null and ranked.key is not null and (max_submissions_count is null or place <= max_submissions_count)
  on conflict do nothing
  returning submission_public_id
),
-- what gets in, with its number
accepted as materialized (
  select n, form_id, place, nextval('submission_ids') as id
  from ranked
  where refusal is null and (max_submissions_count is null or place <= max_submissions_count)
    and (key is null or public_id in (select submission_public_id from keyed))
  order by n
),
stored as (
  insert into submissions (form_id, id, public_id, status, data, attribution, completion_time)
  select incoming.form_id, accepted.id, incoming.public_id, 'completed', incoming.data, incoming.attribution, incoming.completion_time
  from accepted join incoming on incoming.n = accepted.n
  order by accepted.id
),
counted as (
  update form_counters set completed_count = form_counters.completed_count + added.count
  from (select form_id, count(*) from accepted group by form_id) added
  where form_counters.form_id = added.form_id
),
${taking}
-- the deliveries of what got in, with theirs
numbered as materialized (
  select delivery.*, accepted.form_id, accepted.id as submission_id, nextval('delivery_ids') as id
  from jsonb_to_recordset($2::jsonb) as delivery (
    n int, integration_id bigint, webhook_id uuid, is_taken boolean, start int, head int, tail int)
  join accepted on accepted.n = delivery.n
),
queued as (
  insert into deliveries (form_id, id, integration_id, submission_id, webhook_id, leased_until, body)
  select form_id, id, integration_id, submission_id, webhook_id,
    case when is_taken then now() + make_interval(secs => ${LEASE_SECONDS}) end,
    convert_from(substring($3::bytea from start for head), 'UTF8') || submission_id ||
    convert_from(substring($3::bytea from start + head for tail), 'UTF8')
  from numbered
),
-- which of them the dispatcher of this process has taken
taken as (
  select n, string_agg(id::text, ',' order by start) as ids from numbered where is_taken group by n
)
select
  case when accepted.n is not null then 'stored'
       when ranked.refusal is not null then ranked.refusal
       when ranked.max_submissions_count < ranked.place then 'full'
       else 'used_key' end,
  coalesce(accepted.place = 1, false),
  accepted.id,
  taken.ids
from ranked left join accepted on accepted.n = ranked.n left join taken on taken.n = ranked.n
order by ranked.n`;

const STATEMENTS = {
  wait: statementsOf('wait', 'store-submissions'),
  'skip locked': statementsOf('skip locked', 'store-unless-locked'),
};

function statementsOf(forms: 'wait' | 'skip locked', name: string) {
  return {
    'without places': { name, text: storeStatement(forms, NO_PLACES), rowMode: 'array' },
    'with places': { name: `${name}-with-places`, text: storeStatement(forms, PLACES), rowMode: 'array' },
  };
}
