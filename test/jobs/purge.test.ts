import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import {
  purgeDeliveryLog,
  purgeFailedGuesses,
  purgeIdempotencyKeys,
  purgeInvites,
  purgeSessions,
  purgeSpentChallenges,
} from '../../server/jobs/queries.ts';
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

const query = (text: string) => connection.pool.query(text);
const values = async (text: string) => (await connection.pool.query({ text, rowMode: 'array' })).rows.flat();

test('idempotency keys live for 72 hours', async () => {
  await query(`insert into idempotency_keys (form_id, key, body_hash, created_at, submission_public_id, was_partial, was_first)
    values (1, 'old', '', now() - interval '73 hours', gen_random_uuid(), false, false),
           (1, 'young', '', now() - interval '71 hours', gen_random_uuid(), false, false)`);
  await purgeIdempotencyKeys(connection.db);
  expect(await values('select key from idempotency_keys')).toEqual(['young']);
});

test('finished deliveries and attempts live for 30 days, unfinished ones as long as they need', async () => {
  await query(`insert into deliveries (form_id, id, integration_id, submission_id, body, state, created_at, finished_at) values
    (1, 1, 1, 1, '', 'delivered', now() - interval '40 days', now() - interval '31 days'),
    (1, 2, 1, 1, '', 'exhausted', now() - interval '40 days', now() - interval '29 days'),
    (1, 3, 1, 1, '', 'pending', now() - interval '99 days', null),
    (1, 4, 1, 1, '', 'pending', now() - interval '99 days', now() - interval '50 days')`);
  await query(`insert into delivery_attempts (form_id, delivery_id, attempt, integration_id, started_at, duration_ms) values
    (1, 1, 1, 1, now() - interval '31 days', 1), (1, 2, 1, 1, now() - interval '29 days', 1)`);
  await purgeDeliveryLog(connection.db);
  expect(await values('select id from deliveries order by id')).toEqual([2, 3, 4]);
  expect(await values('select delivery_id from delivery_attempts')).toEqual([2]);
});

test('invites go 30 days after they ran out, accepted or not', async () => {
  await query(`insert into workspaces (name) values ('W')`);
  await query(`insert into workspace_invites (workspace_id, email, role, status, token_encrypted, token_hash, valid_until)
    select id, email, 'user', status, '', email::bytea, now() - age::interval from workspaces, (values
      ('old@x.co', 'pending', '31 days'), ('young@x.co', 'pending', '29 days'),
      ('gone@x.co', 'accepted', '31 days'), ('in@x.co', 'accepted', '29 days')
    ) as invite (email, status, age)`);
  await purgeInvites(connection.db);
  expect(await values('select email from workspace_invites order by email')).toEqual([
    'in@x.co',
    'young@x.co',
  ]);
});

test('sessions, guesses and challenges go when they no longer count', async () => {
  await query(`insert into users (name, email, password_hash) values ('A', 'a@x.co', '')`);
  await query(`insert into sessions (token_hash, user_id, expires_at)
    select session.name::bytea, id, now() + age::interval from users, (values ('old', '-1 minute'), ('young', '1 minute')) as session (name, age)`);
  await query(`insert into failed_guesses (subject, address, last_failed_at) values
    ('old', '', now() - interval '25 hours'), ('young', '', now() - interval '23 hours')`);
  await query(
    `insert into spent_challenges values ('old', now() - interval '1 minute'), ('young', now() + interval '1 minute')`,
  );
  await purgeSessions(connection.db);
  await purgeFailedGuesses(connection.db);
  await purgeSpentChallenges(connection.db);
  expect(await values(`select encode(token_hash, 'escape') from sessions`)).toEqual(['young']);
  expect(await values('select subject from failed_guesses')).toEqual(['young']);
  expect(await values(`select encode(challenge_hash, 'escape') from spent_challenges`)).toEqual(['young']);
});

test('what somebody changes while it is purged stays: a delivery to be sent again, an invite that is extended', async () => {
  await query(`insert into deliveries (form_id, id, integration_id, submission_id, body, state, created_at, finished_at)
    values (2, 1, 1, 1, '', 'delivered', now() - interval '40 days', now() - interval '31 days')`);
  await query(`insert into workspace_invites (workspace_id, email, role, status, token_encrypted, token_hash, valid_until)
    select id, 'late@x.co', 'user', 'pending', '', 'late', now() - interval '31 days' from workspaces`);
  const somebody = await connection.pool.connect();
  await somebody.query('begin');
  await somebody.query(`update deliveries set state = 'pending', finished_at = null where form_id = 2`);
  await somebody.query(
    `update workspace_invites set valid_until = now() + interval '7 days' where token_hash = 'late'`,
  );
  await purgeDeliveryLog(connection.db);
  await purgeInvites(connection.db);
  await somebody.query('commit');
  somebody.release();
  expect(await values('select state from deliveries where form_id = 2')).toEqual(['pending']);
  expect(await values(`select email from workspace_invites where token_hash = 'late'`)).toEqual([
    'late@x.co',
  ]);
});
