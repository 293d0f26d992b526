import { sql } from 'kysely';
import type { PoolClient } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ArrayWriter } from '../../server/db/array-writer.ts';
import type { Transaction } from '../../server/db/database.ts';
import { type AttemptRecord, recordAttempts } from '../../server/deliveries/attempt-queries.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  findDueIntegrations,
  releaseDeliveries,
} from '../../server/deliveries/outbox-queries.ts';
import { outboxSize } from '../../server/deliveries/outbox-size-queries.ts';
import { cancelDeliveries, replayDeliveries } from '../../server/deliveries/queries.ts';
import { cancelRemaining } from '../../server/integrations/delete-integration.ts';
import { deleteSubmissions } from '../../server/submissions/queries.ts';
import { restoreTrashedSubmissions } from '../../server/submissions/trash/queries.ts';
import { inLine } from '../setup/meanwhile.ts';
import { type Outbox, openOutbox } from './outbox.ts';

/** Deliveries, each of another submission. */
const SOME = 8;
const NOWHERE = 'http://127.0.0.1:9/';

let outbox: Outbox;

beforeEach(async () => {
  outbox = await openOutbox();
});

afterEach(() => outbox.close());

test('integrations with due deliveries are found page by page, once each', async () => {
  const hooks = [];
  for (let n = 0; n < 5; n++) {
    const hook = await outbox.addIntegration(NOWHERE);
    await outbox.addDeliveries(hook, 3);
    hooks.push(hook);
  }
  const first = await findDueIntegrations(outbox.db, 0, 3);
  expect(first).toEqual(hooks.slice(0, 3));
  expect(await findDueIntegrations(outbox.db, first[2]!, 3)).toEqual(hooks.slice(3));
});

test('neither inactive integrations nor deliveries that wait, are leased or finished are found or claimed', async () => {
  const { db } = outbox;
  const hooks = [];
  const changes = [
    sql`state = 'delivered'`,
    sql`state = 'exhausted'`,
    sql`state = 'cancelled'`,
    sql`next_attempt_at = now() + interval '1 minute'`,
    sql`leased_until = now() + interval '1 minute'`,
    sql`leased_until = null`,
  ];
  for (const change of changes) {
    const hook = await outbox.addIntegration(NOWHERE);
    await outbox.addDeliveries(hook, 1);
    await sql`update deliveries set ${change} where integration_id = ${hook}`.execute(db);
    hooks.push(hook);
  }
  await sql`update integrations set status = 'inactive' where id = ${hooks.at(-1)!}`.execute(db);
  const quotas = hooks.map((integrationId) => ({ integrationId, quota: 5 }));
  expect(await findDueIntegrations(db, 0, 10)).toEqual([]);
  expect(await claimDeliveries(outbox.pool, quotas)).toEqual([]);
  await sql`update deliveries set leased_until = now() - interval '1 ms' where leased_until is not null`.execute(
    db,
  );
  expect(await findDueIntegrations(db, 0, 10)).toEqual([hooks[4]]);
  expect(await claimDeliveries(outbox.pool, quotas)).toMatchObject([
    { integrationId: hooks[4], attemptsMade: 0 },
  ]);
});

test('a claim and a record read what they are of, however many deliveries there are', async () => {
  const integrationId = await outbox.addIntegration(NOWHERE);
  // One session for all statements, so that its plans were made when the table was empty.
  const session = await outbox.pool.connect();
  try {
    const pool = session as unknown as typeof outbox.pool;
    const writer = new ArrayWriter();
    await recordAttempts(pool, [], writer);
    await claimDeliveries(pool, []);
    await outbox.addDeliveries(integrationId, 2_000);
    await session.query('begin');
    const claims = await claimDeliveries(pool, [{ integrationId, quota: 10 }]);
    await recordAttempts(pool, claims.map(arrived), writer);
    const { rows } = await session.query<{ count: number }>(
      "select seq_tup_read + idx_tup_fetch as count from pg_stat_xact_user_tables where relname = 'deliveries'",
    );
    await session.query('commit');
    expect(await outbox.delivery(claims[9]!.id)).toMatchObject({ state: 'delivered', attempts: 1 });
    // Each of the ten is read once to be claimed and once to be recorded.
    expect(rows[0]?.count).toBe(20);
  } finally {
    session.release();
  }
});

test('attempts are recorded while all deliveries are sent again', async () => {
  const ids = await whileAllAreSentAgain((claims) =>
    recordAttempts(outbox.pool, claims.map(arrived), new ArrayWriter()),
  );
  for (const id of ids) expect(await outbox.delivery(id)).toMatchObject({ attempts: 1 });
});

test('claims are given back while all deliveries are sent again', async () => {
  const ids = await whileAllAreSentAgain((claims) =>
    releaseDeliveries(
      outbox.db,
      claims.map((delivery) => ({ delivery, ageMs: 0 })),
    ),
  );
  for (const id of ids) expect(await outbox.delivery(id)).toMatchObject({ leased_until: null });
});

/** Does something with two claims, the latest first, when sending all again waits for a row. @returns their ids */
async function whileAllAreSentAgain(
  work: (claims: ClaimedDelivery[]) => Promise<unknown>,
): Promise<number[]> {
  const { pool, db, formId } = outbox;
  const integrationId = await outbox.addIntegration(NOWHERE);
  const [first] = await outbox.addDeliveries(integrationId, 2);
  const claims = await claimDeliveries(pool, [{ integrationId, quota: 2 }]);
  const since = { since: new Date(0), until: null, state: null };
  // A deadlock would be an error of one of them.
  const [count] = await inLine(
    pool,
    (client) =>
      client.query('select from deliveries where form_id = $1 and id = $2 for update', [formId, first]),
    [
      () => replayDeliveries(db, { formId, integrationId }, since),
      () => work(claims.toSorted((one, other) => other.id - one.id)),
    ],
  );
  expect(count).toBe(2);
  return claims.map(({ id }) => id);
}

test('attempts are recorded while all deliveries are cancelled', async () => {
  const { pool, db, formId } = outbox;
  const integrationId = await outbox.addIntegration(NOWHERE);
  const [first, second] = (await outbox.addDeliveries(integrationId, 2)) as [number, number];
  const claims = await claimDeliveries(pool, [{ integrationId, quota: 2 }]);
  // Due in the other order.
  await sql`update deliveries set next_attempt_at = now() - make_interval(hours => id::int) where form_id = ${formId}`.execute(
    db,
  );
  // A deadlock would be an error of one of them.
  const [cancelled] = await inLine(pool, (client) => lockDelivery(client, second), [
    () => cancelDeliveries(db, integrationId, 2, 'wait'),
    () => recordAttempts(pool, claims.map(arrived), new ArrayWriter()),
  ]);
  expect(cancelled).toBe(2);
  for (const id of [first, second]) expect(await outbox.delivery(id)).toMatchObject({ attempts: 1 });
});

test('a long backlog of a deleted integration is cancelled while an attempt is recorded', async () => {
  const { pool, db, formId } = outbox;
  const integrationId = await outbox.addIntegration(NOWHERE);
  const [first] = (await outbox.addDeliveries(integrationId, 5_002)) as [number];
  const [claim] = (await claimDeliveries(pool, [{ integrationId, quota: 1 }])) as [ClaimedDelivery];
  expect(claim.id).toBe(first);
  await inLine(
    pool,
    (client) => lockDelivery(client, first),
    [() => cancelRemaining(db, integrationId, new AbortController().signal)],
    (client) =>
      client.query("update deliveries set state = 'delivered' where form_id = $1 and id = $2", [
        formId,
        first,
      ]),
  );
  const { rows } =
    await sql`select state, count(*)::int from deliveries where form_id = ${formId} group by state order by state`.execute(
      db,
    );
  expect(rows).toEqual([
    { state: 'cancelled', count: 5_001 },
    { state: 'delivered', count: 1 },
  ]);
});

test('attempts are recorded while the submissions that they are of are deleted', async () => {
  const { formId } = outbox;
  await whileSubmissionsAre((trx, ids) => deleteSubmissions(trx, formId, ids), 'submissions');
  const { rows } = await sql`select from deliveries where form_id = ${formId}`.execute(outbox.db);
  expect(rows).toEqual([]);
});

test('attempts are recorded while the submissions that they are of come out of the trash', async () => {
  const { formId } = outbox;
  const ids = await whileSubmissionsAre(
    (trx, ids) => restoreTrashedSubmissions(trx, formId, ids),
    'trashed_submissions',
  );
  for (const id of ids) expect(await outbox.delivery(id)).toMatchObject({ attempts: 1 });
});

/**
 * Records attempts at deliveries of submissions, the later ones of the earlier submissions, while something happens to these submissions.
 * @returns the ids of the deliveries
 */
async function whileSubmissionsAre(
  happen: (trx: Transaction, ids: number[]) => Promise<unknown>,
  table: 'submissions' | 'trashed_submissions',
): Promise<number[]> {
  const { pool, db, formId } = outbox;
  const integrationId = await outbox.addIntegration(NOWHERE);
  const ids = await outbox.addDeliveries(integrationId, SOME);
  await sql`update deliveries set submission_id = ${SOME + 1} - submission_id where form_id = ${formId}`.execute(
    db,
  );
  const [columns, values] =
    table === 'submissions' ? [sql``, sql``] : [sql`, source_ids`, sql`, '{}'::text[]`];
  await sql`
    insert into ${sql.table(table)} (form_id, id, public_id, status, data, created_at, updated_at ${columns})
    select ${formId}, n, gen_random_uuid(), 'completed', '{}', now(), now() ${values}
    from generate_series(1, ${SOME}::int) n`.execute(db);
  const claims = await claimDeliveries(pool, [{ integrationId, quota: SOME }]);
  // In the table the later ones come first, too.
  for (const id of ids.toReversed())
    await sql`update deliveries set body = body || ' ' where form_id = ${formId} and id = ${id}`.execute(db);
  // A deadlock would be an error of one of them.
  await inLine(pool, (client) => lockDelivery(client, Math.max(...ids)), [
    () =>
      db.transaction().execute(async (trx) => {
        // The database may choose any order: here that of the table.
        await sql`set local enable_seqscan = on; set local enable_hashjoin = on;
          set local enable_indexscan = off; set local enable_bitmapscan = off`.execute(trx);
        await happen(
          trx,
          claims.map((_, n) => n + 1),
        );
      }),
    () => recordAttempts(pool, claims.map(arrived), new ArrayWriter()),
  ]);
  return ids;
}

function lockDelivery(client: PoolClient, id: number) {
  return client.query('select from deliveries where form_id = $1 and id = $2 for update', [
    outbox.formId,
    id,
  ]);
}

test('two processes note at once that several integrations fail', async () => {
  const { pool } = outbox;
  const [one, two] = [await outbox.addIntegration(NOWHERE), await outbox.addIntegration(NOWHERE)];
  const claims: ClaimedDelivery[] = [];
  // Of each process the first delivery is for another integration.
  for (const integrationId of [one, two, two, one]) {
    await outbox.addDeliveries(integrationId, 1);
    claims.push(...(await claimDeliveries(pool, [{ integrationId, quota: 1 }])));
  }
  const failed = (claim: ClaimedDelivery) => ({ ...arrived(claim), isDelivered: false, retryDelayMs: 1000 });
  const [ofFirst, ofSecond] = [claims.slice(0, 2), claims.slice(2)];
  await inLine(pool, (client) => client.query('select from integrations where id = $1 for update', [one]), [
    () => recordAttempts(pool, ofFirst.map(failed), new ArrayWriter()),
    () => recordAttempts(pool, ofSecond.map(failed), new ArrayWriter()),
  ]);
  for (const { id } of claims) expect(await outbox.delivery(id)).toMatchObject({ attempts: 1 });
});

test('claims respect each quota, the longest due first, and can be given back', async () => {
  const one = await outbox.addIntegration(NOWHERE);
  const two = await outbox.addIntegration(NOWHERE);
  const ids = await outbox.addDeliveries(one, 5);
  await outbox.addDeliveries(two, 5);
  await sql`update deliveries set next_attempt_at = now() - interval '1 hour' where id = ${ids[3]!}`.execute(
    outbox.db,
  );
  const claims = await claimDeliveries(outbox.pool, [
    { integrationId: one, quota: 1 },
    { integrationId: two, quota: 2 },
  ]);
  expect(claims.map(({ integrationId }) => integrationId).sort()).toEqual([one, two, two]);
  expect(claims.find(({ integrationId }) => integrationId === one)?.id).toBe(ids[3]);
  const held = claims.map((delivery) => ({ delivery, ageMs: 10 }));
  await releaseDeliveries(outbox.db, held);
  expect(await claimDeliveries(outbox.pool, [{ integrationId: two, quota: 9 }])).toHaveLength(5);
});

test('the size of the outbox counts what active integrations still get', async () => {
  expect(await outboxSize(outbox.db, true)).toEqual({ depth: 0, oldestAgeSeconds: 0 });
  const active = await outbox.addIntegration(NOWHERE);
  const inactive = await outbox.addIntegration(NOWHERE);
  const [id] = await outbox.addDeliveries(active, 3);
  await outbox.addDeliveries(inactive, 3);
  await sql`update integrations set status = 'inactive' where id = ${inactive}`.execute(outbox.db);
  await sql`update deliveries set next_attempt_at = now() - interval '90 seconds' where id = ${id!}`.execute(
    outbox.db,
  );
  const size = await outboxSize(outbox.db, true);
  expect(size.depth).toBe(3);
  expect(size.oldestAgeSeconds).toBeGreaterThanOrEqual(90);
  expect(size.oldestAgeSeconds).toBeLessThan(100);
});

/** The record of an attempt that was answered by 200. */
function arrived({ formId, id, integrationId, attemptsMade }: ClaimedDelivery): AttemptRecord {
  const answer = { isDelivered: true, retryDelayMs: null, ageMs: 1, durationMs: 1, statusCode: 200 };
  const noFailure = { failure: null, failureDetail: null, responseExcerpt: null, sentTo: NOWHERE };
  return { formId, deliveryId: id, integrationId, attemptsMade, ...answer, ...noFailure };
}
