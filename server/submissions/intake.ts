import type pg from 'pg';
import { databaseProblem } from '../db/constraint-errors.ts';
import { unavailable } from '../http/errors.ts';

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
  idempotency: { key: string; bodyHash: Buffer } | null;
  deliveries: NewDelivery[];
}

/** A delivery whose body is `head`, the submission's numeric id, `tail`. */
export interface NewDelivery {
  integrationId: number;
  head: string;
  tail: string;
}

export type IntakeOutcome =
  /** Committed, with its counters, deliveries and idempotency key. */
  | { kind: 'stored'; isFirst: boolean }
  /** The form changed or went away since the submission was checked: look again. */
  | { kind: 'stale' }
  /** The form has all the submissions it takes. */
  | { kind: 'full' }
  /** The Idempotency-Key has been used. */
  | { kind: 'used_key' };

export interface Intake {
  /** Resolves after the commit. @throws HttpError 503 when the database does not answer in time. */
  add(submission: NewSubmission): Promise<IntakeOutcome>;
  /** Waits for what was added. */
  drain(): Promise<void>;
}

interface Waiting {
  submission: NewSubmission;
  /** Characters of answers and bodies. */
  length: number;
  /** By `performance.now()`. */
  since: number;
  resolve(outcome: IntakeOutcome): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 256;
/** Characters of answers and bodies in one statement, so that large submissions do not add up. */
const MAX_BATCH_LENGTH = 8 * 1024 * 1024;
/** Of one UTF-16 code unit. */
const MAX_UTF8_BYTES = 3;
/** Beyond this many waiting submissions new ones are refused with 503 instead of piling up in memory. */
const MAX_WAITING = 20_000;
/** The same for their characters of answers and bodies. */
const MAX_WAITING_LENGTH = 256 * 1024 * 1024;
/** Whoever waited longer behind a statement that timed out is refused with it: the next one may take as long. */
const PATIENCE_MS = 1_000;
/** SQLSTATE 40: the database called the statement off because of another transaction. It is made anew so often. */
const MAX_RETRIES = 3;

/**
 * Stores submissions in batches without ever waiting for one to fill: while a statement is under way new arrivals
 * queue up, and the next statement takes them all. One statement is one commit, synchronous and complete.
 */
export function createIntake(
  pool: pg.Pool,
  onFlush: (batchSize: number, durationMs: number) => void,
  onQueued: (integrationIds: Set<number>) => void,
): Intake {
  let waiting: Waiting[] = [];
  let waitingLength = 0;
  let flushing: Promise<void> | null = null;

  function add(submission: NewSubmission): Promise<IntakeOutcome> {
    const isTooMuch = waiting.length >= MAX_WAITING || waitingLength >= MAX_WAITING_LENGTH;
    if (isTooMuch) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const length = lengthOf(submission);
      waitingLength += length;
      waiting.push({ submission, length, since: performance.now(), resolve, reject });
      flushing ??= flushAll();
    });
  }

  async function flushAll(): Promise<void> {
    // The rest of this turn of the event loop may bring more.
    await new Promise(setImmediate);
    while (waiting.length > 0) await flush(takeBatch());
    flushing = null;
  }

  function takeBatch(): Waiting[] {
    let count = 0;
    let length = 0;
    for (; count < waiting.length && count < MAX_BATCH && length < MAX_BATCH_LENGTH; count++)
      length += waiting[count]?.length ?? 0;
    waitingLength -= length;
    return waiting.splice(0, count);
  }

  /** Nobody waits for one timeout after the other. */
  function refuseImpatient(error: unknown): void {
    const latest = performance.now() - PATIENCE_MS;
    const refused = waiting.filter(({ since }) => since < latest);
    waiting = waiting.filter(({ since }) => since >= latest);
    for (const { length, reject } of refused) {
      waitingLength -= length;
      reject(error);
    }
  }

  async function flush(batch: Waiting[]): Promise<void> {
    const startedAt = performance.now();
    try {
      const outcomes = await storePersistently(batch.map(({ submission }) => submission));
      onFlush(batch.length, performance.now() - startedAt);
      settle(batch, outcomes);
    } catch (error) {
      // One submission the database refuses must not take its neighbours down.
      if (batch.length > 1 && databaseProblem(error) !== 'unavailable')
        for (const one of batch) await flush([one]);
      else {
        for (const { reject } of batch) reject(error);
        refuseImpatient(error);
      }
    }
  }

  function settle(batch: Waiting[], outcomes: IntakeOutcome[]): void {
    const integrationIds = new Set<number>();
    batch.forEach(({ submission, resolve }, index) => {
      const outcome = outcomes[index] ?? { kind: 'stale' };
      if (outcome.kind === 'stored')
        for (const { integrationId } of submission.deliveries) integrationIds.add(integrationId);
      resolve(outcome);
    });
    if (integrationIds.size > 0) onQueued(integrationIds);
  }

  /** A deadlock with somebody's own SQL, or isolation that is stricter than needed, is nobody's fault who submits. */
  async function storePersistently(batch: NewSubmission[]): Promise<IntakeOutcome[]> {
    for (let retries = 0; ; retries++) {
      try {
        return await store(batch);
      } catch (error) {
        const isCalledOff = String((error as { code?: string }).code).startsWith('40');
        if (!isCalledOff || retries === MAX_RETRIES) throw error;
      }
    }
  }

  async function store(batch: NewSubmission[]): Promise<IntakeOutcome[]> {
    const { rows } = await pool.query<[string, boolean]>({
      name: 'store-submissions',
      text: STORE_SUBMISSIONS,
      values: [rowsOf(batch), ...deliveriesOf(batch)],
      rowMode: 'array',
    });
    return rows.map(([kind, isFirst]) =>
      kind === 'stored' ? { kind, isFirst } : { kind },
    ) as IntakeOutcome[];
  }

  return {
    add,
    async drain() {
      while (flushing) await flushing;
    },
  };
}

function lengthOf(submission: NewSubmission): number {
  let length = submission.data.length;
  for (const { head, tail } of submission.deliveries) length += head.length + tail.length;
  return length;
}

function rowsOf(batch: NewSubmission[]): string {
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

/**
 * The deliveries as JSON, and the bytes of their bodies one after the other: text in JSON would be escaped here and read
 * again there, which costs more than everything else of a delivery.
 */
function deliveriesOf(batch: NewSubmission[]): [deliveries: string, bodies: Buffer] {
  const bodies = Buffer.allocUnsafe(batch.reduce((sum, item) => sum + lengthOf(item), 0) * MAX_UTF8_BYTES);
  const parts: string[] = [];
  let end = 0;
  batch.forEach(({ deliveries }, index) => {
    for (const { integrationId, head, tail } of deliveries) {
      // PostgreSQL counts from 1.
      const start = end + 1;
      const headLength = bodies.write(head, end);
      const tailLength = bodies.write(tail, end + headLength);
      end += headLength + tailLength;
      parts.push(
        `{"n":${index},"integration_id":${integrationId},"start":${start},"head":${headLength},"tail":${tailLength}}`,
      );
    }
  });
  return [`[${parts.join(',')}]`, bodies.subarray(0, end)];
}

/**
 * One statement, one commit. The lock on the counters (in order of form, so that no two batches wait for each
 * other) makes caps exact and keeps a form from being deleted under its submissions; the lock on the form keeps
 * its revision. Numbers are given out to what is accepted only.
 */
const STORE_SUBMISSIONS = `
with incoming as materialized (
  select * from jsonb_to_recordset($1::jsonb) as row (
    n int, form_id bigint, revision bigint, public_id uuid, data jsonb, attribution jsonb, completion_time float8,
    key text, body_hash bytea)
),
gates as materialized (
  select counters.form_id, counters.completed_count, forms.revision, forms.max_submissions_count
  from form_counters counters join forms on forms.id = counters.form_id
  where counters.form_id in (select form_id from incoming)
  order by counters.form_id
  for no key update of counters for share of forms
),
judged as materialized (
  select incoming.n, incoming.form_id, incoming.public_id, incoming.key, gates.completed_count, gates.max_submissions_count,
    case when gates.revision is distinct from incoming.revision then 'stale'
         when used.key is not null then 'used_key'
         -- of two with one key in this batch only the first may take a place
         when incoming.key is not null
           and row_number() over (partition by incoming.form_id, incoming.key order by incoming.n) > 1
           then 'used_key' end as refusal
  from incoming
  left join gates on gates.form_id = incoming.form_id
  left join idempotency_keys used on used.form_id = incoming.form_id and used.key = incoming.key
),
ranked as materialized (
  select *, completed_count + count(*) filter (where refusal is null) over (partition by form_id order by n) as place
  from judged
),
keyed as (
  insert into idempotency_keys (form_id, key, body_hash, submission_public_id, was_partial, was_first)
  select ranked.form_id, ranked.key, incoming.body_hash, ranked.public_id, false, ranked.place = 1
  from ranked join incoming on incoming.n = ranked.n
  where refusal is null and ranked.key is not null and (max_submissions_count is null or place <= max_submissions_count)
  on conflict do nothing
  returning submission_public_id
),
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
queued as (
  insert into deliveries (form_id, integration_id, submission_id, body)
  select accepted.form_id, delivery.integration_id, accepted.id,
    convert_from(substring($3::bytea from start for head), 'UTF8') || accepted.id ||
    convert_from(substring($3::bytea from start + head for tail), 'UTF8')
  from jsonb_to_recordset($2::jsonb) as delivery (n int, integration_id bigint, start int, head int, tail int)
  join accepted on accepted.n = delivery.n
)
select
  case when accepted.n is not null then 'stored'
       when ranked.refusal is not null then ranked.refusal
       when ranked.max_submissions_count < ranked.place then 'full'
       else 'used_key' end,
  coalesce(accepted.place = 1, false)
from ranked left join accepted on accepted.n = ranked.n
order by ranked.n`;
