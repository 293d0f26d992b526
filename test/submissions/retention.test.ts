import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { deleteExpiredSubmissions } from '../../server/submissions/retention/expired-queries.ts';
import { purgeExpiredSubmissions } from '../../server/submissions/retention/purge-expired.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

let database: TestDatabase;
let connection: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  connection = openDatabase(database.connection, () => {}, 3);
});
afterAll(async () => {
  await connection.close();
  await database.drop();
});
beforeEach(() =>
  query('truncate workspaces, forms, form_counters, submissions, deliveries, delivery_attempts cascade'),
);

const query = (text: string, values: unknown[] = []) => connection.pool.query(text, values);
const count = async (table: string, where = 'true') =>
  (await query(`select count(*) from ${table} where ${where}`)).rows[0].count;

async function aForm(value: number | null, unit: string | null, visibility = 'public'): Promise<number> {
  const { rows } = await query(
    `with workspace as (insert into workspaces (name) values ('W') returning id),
     form as (
       insert into forms (workspace_id, slug, title, visibility, submission_retention_value, submission_retention_unit)
       select id, 'form-' || id, 'Form', $3, $1, $2 from workspace returning id
     )
     insert into form_counters (form_id) select id from form returning form_id`,
    [value, unit, visibility],
  );
  return rows[0].form_id;
}

/** @returns the ids of the new submissions */
async function store(
  formId: number,
  updatedAt: string,
  status = 'completed',
  howMany = 1,
): Promise<number[]> {
  const { rows } = await query(
    `with added as (
       insert into submissions (form_id, public_id, status, data, created_at, updated_at)
       select $1, gen_random_uuid(), $2, '{}', $3::timestamptz - interval '20 years', $3
       from generate_series(1, $4::int) returning id
     ), counted as (
       update form_counters set
         completed_count = completed_count + case when $2 = 'completed' then $4::int else 0 end,
         partial_count = partial_count + case when $2 = 'partial' then $4::int else 0 end
       where form_id = $1
     )
     select id from added`,
    [formId, status, updatedAt, howMany],
  );
  return rows.map((row) => row.id);
}

async function left(formId: number): Promise<number[]> {
  const { rows } = await query('select id from submissions where form_id = $1 order by id', [formId]);
  return rows.map((row) => row.id);
}

test.each([
  [1, 'day', '2026-05-10T12:00:00Z', '2026-05-09T12:00:00Z'],
  [2, 'week', '2026-05-15T00:00:00Z', '2026-05-01T00:00:00Z'],
  [1, 'month', '2026-03-31T08:00:00Z', '2026-02-28T08:00:00Z'],
  [1, 'month', '2028-03-31T08:00:00Z', '2028-02-29T08:00:00Z'],
  [1, 'year', '2028-02-29T08:00:00Z', '2027-02-28T08:00:00Z'],
  // a day is always 24 hours, even when clocks change
  [1, 'day', '2026-03-29T12:00:00Z', '2026-03-28T12:00:00Z'],
])('%i %s before %s ends at %s, that moment included', async (value, unit, now, limit) => {
  const formId = await aForm(value, unit);
  const justInside = new Date(Date.parse(limit) + 1).toISOString();
  await store(formId, limit);
  const [kept] = await store(formId, justInside);
  await purgeExpiredSubmissions(connection.db, { now: new Date(now) });
  expect(await left(formId)).toEqual([kept]);
});

test('the clock of the database decides', async () => {
  const formId = await aForm(1, 'day');
  await query(
    `insert into submissions (form_id, public_id, status, data, updated_at) values
    ($1, gen_random_uuid(), 'completed', '{}', now() - interval '25 hours'),
    ($1, gen_random_uuid(), 'completed', '{}', now() - interval '23 hours')`,
    [formId],
  );
  await query('update form_counters set completed_count = 2 where form_id = $1', [formId]);
  await purgeExpiredSubmissions(connection.db);
  expect((await left(formId)).length).toBe(1);
});

test('forms of any visibility are purged; those without retention never', async () => {
  for (const visibility of ['public', 'draft', 'closed']) {
    const formId = await aForm(1, 'day', visibility);
    await store(formId, '2020-01-01T00:00:00Z');
    await purgeExpiredSubmissions(connection.db);
    expect(await left(formId)).toEqual([]);
  }
  const forever = await aForm(null, null);
  const ids = await store(forever, '2000-01-01T00:00:00Z');
  await purgeExpiredSubmissions(connection.db);
  expect(await left(forever)).toEqual(ids);
});

test('counters, deliveries and attempts follow; those of other submissions and forms stay', async () => {
  const formId = await aForm(1, 'day');
  const other = await aForm(null, null);
  const old = [
    ...(await store(formId, '2020-01-01T00:00:00Z', 'completed', 3)),
    ...(await store(formId, '2020-01-01T00:00:00Z', 'partial', 2)),
  ];
  const fresh = await store(formId, new Date().toISOString(), 'completed', 4);
  const foreign = await store(other, '2020-01-01T00:00:00Z', 'completed', 1);
  for (const [form, ids] of [
    [formId, [...old, ...fresh]],
    [other, foreign],
  ] as const)
    await query(
      `with queued as (
         insert into deliveries (form_id, integration_id, submission_id, body) select $1, 1, id, '{}' from unnest($2::bigint[]) id
         returning id)
       insert into delivery_attempts (form_id, delivery_id, attempt, integration_id, started_at, duration_ms)
       select $1, id, 1, 1, now(), 5 from queued`,
      [form, ids],
    );
  await purgeExpiredSubmissions(connection.db);
  expect(await left(formId)).toEqual(fresh);
  expect(
    (await query('select completed_count, partial_count from form_counters where form_id = $1', [formId]))
      .rows,
  ).toEqual([{ completed_count: 4, partial_count: 0 }]);
  expect(await count('deliveries', `form_id = ${formId}`)).toBe(4);
  expect(await count('delivery_attempts', `form_id = ${formId}`)).toBe(4);
  expect(await count('delivery_attempts', `form_id = ${other}`)).toBe(1);
  expect(await left(other)).toEqual(foreign);
});

test('more than one chunk, with fresh ones in between', async () => {
  const formId = await aForm(1, 'day');
  await store(formId, '2020-01-01T00:00:00Z', 'completed', 7_000);
  const fresh = await store(formId, new Date().toISOString(), 'completed', 10);
  await store(formId, '2020-01-01T00:00:00Z', 'completed', 5_000);
  await purgeExpiredSubmissions(connection.db);
  expect(await left(formId)).toEqual(fresh);
  expect(await count('form_counters', `form_id = ${formId} and completed_count = 10`)).toBe(1);
});

test('no transaction deletes more than 500, for which the form is locked', async () => {
  const formId = await aForm(1, 'day');
  await store(formId, '2020-01-01T00:00:00Z', 'completed', 1_200);
  await query('create table deletions (count bigint)');
  await query(`create function note_deletion() returns trigger language plpgsql as
    'begin insert into deletions select count(*) from gone having count(*) > 0; return null; end'`);
  await query(`create trigger note_deletion after delete on submissions referencing old table as gone
    for each statement execute function note_deletion()`);
  await purgeExpiredSubmissions(connection.db);
  await query('drop trigger note_deletion on submissions');
  const { rows } = await query('select sum(count) from deletions group by xmin::text order by sum desc');
  expect(rows.map((row) => Number(row.sum))).toEqual([500, 500, 200]);
  expect(await left(formId)).toEqual([]);
});

test('a submission changed between finding and deleting stays', async () => {
  const formId = await aForm(1, 'day');
  const [first = 0, second = 0] = await store(formId, '2020-01-01T00:00:00Z', 'completed', 2);
  await query('update submissions set updated_at = now() where id = $1', [second]);
  await deleteExpiredSubmissions(connection.db, formId, [first, second], null);
  expect(await left(formId)).toEqual([second]);
});

test('the key of a submission that is gone is free again', async () => {
  const formId = await aForm(1, 'day');
  await store(formId, '2020-01-01T00:00:00Z');
  await store(formId, new Date().toISOString());
  await query(
    `insert into idempotency_keys (form_id, key, body_hash, submission_public_id, was_partial, was_first)
     select form_id, id, '', public_id, false, false from submissions where form_id = $1`,
    [formId],
  );
  await purgeExpiredSubmissions(connection.db);
  const { rows } = await query('select key::bigint from idempotency_keys where form_id = $1', [formId]);
  expect(rows.map((row) => row.key)).toEqual(await left(formId));
});
