import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openPool, ROW_BY_ROW } from '../../server/db/database.ts';
import type { NewSubmission } from '../../server/submissions/intake/batch.ts';
import { createIntake } from '../../server/submissions/intake/intake.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

/** A submission that has waited this long behind a statement that timed out is refused with it. */
const LONGER_THAN_PATIENCE_MS = 1_200;

const home = useHome();

async function aSubmission(form: { id: number }, key: string | null): Promise<NewSubmission> {
  const { revision } = await home.service.context.db
    .selectFrom('forms')
    .select('revision')
    .where('id', '=', form.id)
    .executeTakeFirstOrThrow();
  return {
    formId: form.id,
    formRevision: revision,
    publicId: randomUUID(),
    data: '{}',
    attribution: null,
    completionTime: null,
    idempotency: key === null ? null : { key, bodyHash: Buffer.alloc(32) },
    takesPlaces: false,
    ending: null,
    deliveries: [],
  };
}

test('a submission sent twice at once takes one place of a limited form', async () => {
  const { intake } = home.service.context;
  const form = await home.form({ max_submissions_count: 2 });
  const batch = await Promise.all(['once', 'once', null].map((key) => aSubmission(form, key)));
  const outcomes = await Promise.all(batch.map((submission) => intake.add(submission)));
  expect(outcomes.map(({ kind }) => kind)).toEqual(['stored', 'used_key', 'stored']);
  expect((await intake.add(await aSubmission(form, null))).kind).toBe('full');
  expect(await home.records(form)).toHaveLength(2);
});

test('a full form is full for everybody, whoever sends twice or chooses an option without a place beside them', async () => {
  const option = { name: 'Saturday', max_submissions_count: 5 };
  const day = aField('1', 'select', 'Day', { select: { options: [option] } });
  const form = await home.form({ properties: [day], max_submissions_count: 4 });
  const chosen = { [day.id]: 'Saturday' };
  const before = await home.submit(form, chosen, { 'Idempotency-Key': 'before' });
  await Promise.all([1, 2, 3].map(() => home.submit(form, chosen)));
  for (let round = 0; round < 3; round++) {
    const sent = Array.from({ length: 30 }, (_, n) => {
      const headers = n % 2 === 0 ? { 'Idempotency-Key': `again-${round}` } : undefined;
      return home.submit(form, n % 3 === 0 ? {} : chosen, headers);
    });
    const replay = home.submit(form, chosen, { 'Idempotency-Key': 'before' });
    for (const { status, body } of await Promise.all(sent))
      expect({ status, error: body.error }).toEqual({ status: 403, error: 'form_full' });
    expect((await replay).body.submission_id).toBe(before.body.submission_id);
  }
  expect(await home.records(form)).toHaveLength(4);
});

test('of a batch over many forms each is judged by its own, and stored with what belongs to it', async () => {
  const { context, database } = home.service;
  const [open, capped, changed, gone] = [
    await home.form(),
    await home.form({ max_submissions_count: 2 }),
    await home.form(),
    await home.form(),
  ];
  const delivery = { integrationId: 7, isMail: false, head: '{"id":', tail: '}' };
  const on = async (form: { id: number }, key: string | null = null, count = 0) => ({
    ...(await aSubmission(form, key)),
    deliveries: Array.from({ length: count }, () => delivery),
  });
  const [former, lost] = [await on(changed), await on(gone, null, 1)];
  await home.call('PUT', `/open/forms/${changed.id}`, { title: 'Another' });
  await home.call('DELETE', `/open/forms/${gone.id}`);
  const batch = [
    await on(open, null, 2),
    former,
    await on(capped, null, 1),
    lost,
    await on(open, 'key'),
    await on(capped),
    await on(changed),
    await on(capped, null, 1),
    await on(open, 'key', 1),
    await on(open, null, 1),
  ];
  // The others gather into one batch while the first is under way.
  const ahead = context.intake.add(await on(await home.form()));
  const outcomes = await Promise.all(batch.map((submission) => context.intake.add(submission)));
  await ahead;
  expect(outcomes).toEqual([
    { kind: 'stored', isFirst: true },
    { kind: 'stale' },
    { kind: 'stored', isFirst: true },
    { kind: 'stale' },
    { kind: 'stored', isFirst: false },
    { kind: 'stored', isFirst: false },
    { kind: 'stored', isFirst: true },
    { kind: 'full' },
    { kind: 'used_key' },
    { kind: 'stored', isFirst: false },
  ]);
  const client = new pg.Client(database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query({
    text: `select submissions.public_id, form_counters.completed_count, array_agg(deliveries.body = '{"id":' || submissions.id || '}') as bodies
      from submissions join form_counters using (form_id)
      left join deliveries on deliveries.form_id = submissions.form_id and deliveries.submission_id = submissions.id
      where submissions.public_id = any($1::uuid[]) group by submissions.id, 1, 2 order by array_position($1::uuid[], submissions.public_id)`,
    values: [batch.map(({ publicId }) => publicId)],
    rowMode: 'array',
  });
  expect(rows).toEqual([
    [batch[0]?.publicId, 3, [true, true]],
    [batch[2]?.publicId, 2, [true]],
    [batch[4]?.publicId, 3, [null]],
    [batch[5]?.publicId, 2, [null]],
    [batch[6]?.publicId, 1, [null]],
    [batch[9]?.publicId, 3, [true]],
  ]);
});

test('how many forms there are costs the next submission nothing', async () => {
  const { context, database } = home.service;
  const form = await home.form();
  const pool = openPool(database.connection, () => {}, { max: 1, settings: ROW_BY_ROW });
  onTestFinished(() => pool.end());
  const intake = createIntake(pool, () => {}, context.dispatcher);
  // The plan is made while there are few forms.
  await intake.add(await aSubmission(form, null));
  await Promise.all(Array.from({ length: 60 }, () => home.form()));
  const before = await countersRead();
  for (let n = 0; n < 20; n++) await intake.add(await aSubmission(form, null));
  // Two entries for each submission; reading all counters each time would be more than 1,200.
  expect((await countersRead()) - before).toBeLessThan(200);

  async function countersRead(): Promise<number> {
    const text = `select pg_stat_force_next_flush(), pg_stat_clear_snapshot()`;
    await pool.query(text);
    const counted = await pool.query<{ count: number }>(
      "select idx_tup_read as count from pg_stat_user_indexes where indexrelname = 'form_counters_pkey'",
    );
    return counted.rows[0]?.count ?? Number.NaN;
  }
});

test('one that the database cannot take does not take its neighbours down', async () => {
  const { intake } = home.service.context;
  const form = await home.form();
  const [good, bad, alsoGood] = await Promise.all([1, 2, 3].map(() => aSubmission(form, null)));
  bad!.data = '{"a":"\\u0000"}';
  const outcomes = await Promise.allSettled(
    [good!, bad!, alsoGood!].map((submission) => intake.add(submission)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await home.records(form)).toHaveLength(2);
});

test('the one that the database cannot take is found in a few statements, and only it is refused', async () => {
  const { database, context } = home.service;
  const pool = openPool(database.connection, () => {}, { max: 1, settings: ROW_BY_ROW });
  onTestFinished(() => pool.end());
  let statements = 0;
  const intake = createIntake(pool, () => void statements++, context.dispatcher);
  const form = await home.form();
  const submissions = await Promise.all(Array.from({ length: 64 }, () => aSubmission(form, null)));
  submissions[40]!.data = '{"a":"\\u0000"}';
  const outcomes = await Promise.allSettled(submissions.map((submission) => intake.add(submission)));
  expect(outcomes.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([40]);
  // The halves that were stored had 32, 8, 16 … submissions.
  expect(statements).toBe(6);
});

test('a refusal is of nobody else, however long they have waited', async () => {
  const { database, context } = home.service;
  const pool = openPool(database.connection, () => {}, { max: 1, settings: ROW_BY_ROW });
  onTestFinished(() => pool.end());
  const intake = createIntake(pool, () => {}, context.dispatcher);
  const form = await home.form();
  const [first, good] = [await aSubmission(form, null), await aSubmission(form, null)];
  await intake.add(first);
  const client = new pg.Client(database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query('select from form_counters where form_id = $1 for update', [form.id]);
  const refused = Promise.allSettled([intake.add({ ...first })]);
  const waiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await client.query(waiting)).rowCount).toBe(1);
  const stored = intake.add(good);
  await setTimeout(LONGER_THAN_PATIENCE_MS);
  await client.query('commit');
  expect(await refused).toMatchObject([{ status: 'rejected', reason: { code: '23505' } }]);
  expect(await stored).toMatchObject({ kind: 'stored' });
});

test.each([
  ['whose submissions somebody deletes', 'select from form_counters where form_id = $1 for update'],
  ['that somebody is saving', 'update forms set revision = revision where id = $1'],
])('a form %s holds up no other', async (_name, lock) => {
  const { intake } = home.service.context;
  const [held, free] = [await home.form(), await home.form()];
  const client = new pg.Client(home.service.database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query(lock, [held.id]);
  const waiting: Promise<unknown>[] = [];
  let isOver = false;
  for (let round = 0; round < 3; round++) {
    waiting.push(intake.add(await aSubmission(held, null)).finally(() => (isOver = true)));
    expect(await intake.add(await aSubmission(free, null))).toMatchObject({ kind: 'stored' });
  }
  // They were stored while the lock was still held.
  expect(isOver).toBe(false);
  await client.query('commit');
  for (const outcome of await Promise.all(waiting)) expect(outcome).toMatchObject({ kind: 'stored' });
  expect((await home.records(held)).length).toBe(3);
});

test('a submission with very long bodies, which the database takes long for, holds up no other', async () => {
  const { intake } = home.service.context;
  const [long, free] = [
    await aSubmission(await home.form(), null),
    await aSubmission(await home.form(), null),
  ];
  long.deliveries = [
    { integrationId: 7, isMail: false, head: '{"id":', tail: `,"x":"${'x'.repeat(5_000_000)}"}` },
  ];
  const client = new pg.Client(home.service.database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(`
    create function take_long() returns trigger language plpgsql as 'begin perform pg_advisory_xact_lock(1); return new; end';
    create trigger take_long before insert on deliveries for each row when (length(new.body) > 1000000) execute function take_long();
    select pg_advisory_lock(1)`);
  let isOver = false;
  const stored = intake.add(long).finally(() => (isOver = true));
  const isWaiting = "select from pg_locks where locktype = 'advisory' and not granted";
  await expect.poll(async () => (await client.query(isWaiting)).rowCount).toBe(1);
  expect(await intake.add(free)).toMatchObject({ kind: 'stored' });
  expect(isOver).toBe(false);
  await client.query('select pg_advisory_unlock(1)');
  expect(await stored).toMatchObject({ kind: 'stored' });
  await client.query('drop function take_long cascade');
});

test('answers that choose places of a form that is held up leave the database to all others', async () => {
  const option = { name: 'Saturday', max_submissions_count: 100 };
  const day = aField('1', 'select', 'Day', { select: { options: [option] } });
  const [held, free] = [await home.form({ properties: [day] }), await home.form()];
  const client = new pg.Client(home.service.database.connection);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin');
  await client.query('select from form_counters where form_id = $1 for update', [held.id]);
  let isOver = false;
  const waiting = Array.from({ length: 40 }, () =>
    home.submit(held, { [day.id]: 'Saturday' }).finally(() => (isOver = true)),
  );
  const isWaiting =
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
  await expect.poll(async () => (await client.query(isWaiting)).rowCount).toBeGreaterThan(0);
  expect((await home.records(free)).length).toBe(0);
  expect(isOver).toBe(false);
  await client.query('commit');
  for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
});

test('more text than a process should hold is refused instead of kept', async () => {
  const noDatabase = {
    connect: () => Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })),
  };
  const [reserved, dropped]: [number[], number[]] = [[], []];
  const intake = createIntake(noDatabase as unknown as pg.Pool, () => {}, {
    reserve: (id) => reserved.push(id) > 0,
    take() {},
    drop: (id) => void dropped.push(id),
    wake() {},
  });
  // With the two characters of its answers each is 64 MiB, and four are as much as may wait.
  const large = { head: 'x'.repeat(64 * 1024 * 1024 - 2), tail: '', integrationId: 7, isMail: false };
  const one = await aSubmission(await home.form(), null);
  // The same text counts each time, though memory holds it only once.
  const add = (...deliveries: NewSubmission['deliveries']) => intake.add({ ...one, deliveries });
  const waiting = [add(large), add(large), add(large)];
  // A submission that is too long for the remaining room leaves the room to others.
  const tooLong = add(large, large);
  waiting.push(add(large));
  const none = add();
  const settled = await Promise.allSettled([tooLong, none, ...waiting]);
  const reasons = settled.map((outcome) => outcome.status === 'rejected' && outcome.reason);
  expect(reasons.map(({ statusCode, code }) => statusCode ?? code)).toEqual([
    503,
    503,
    ...Array(4).fill('ECONNREFUSED'),
  ]);
  // A submission that has waited long behind a failure is refused with it, without a try.
  expect(reserved).toContain(7);
  expect(dropped).toEqual(reserved);
  await expect(intake.add(one)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});
