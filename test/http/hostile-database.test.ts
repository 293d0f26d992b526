import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aToken, TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import type { Answer } from '../setup/service.ts';
import { until } from '../setup/until.ts';

/** While the database is in trouble, a submission is stored or gets 503; afterwards the service recovers by itself. */
const home = useHome();
let form: any;
let outside: pg.Client;

beforeAll(async () => {
  form = await home.form();
  outside = await anotherClient();
});
afterAll(() => outside?.end());

async function anotherClient(): Promise<pg.Client> {
  const client = new pg.Client(home.service.database.connection);
  client.on('error', () => {});
  await client.connect();
  return client;
}

test('connections that are killed again and again cost no acknowledged submission', async () => {
  const acknowledged = new Map<string, string>();
  const refused: Answer[] = [];
  let isOver = false;
  const killer = (async () => {
    // A busy machine stores few between two rounds.
    for (let round = 0; round < 15 || (acknowledged.size < 20 && round < 150); round++) {
      await outside.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await pause(100);
    }
    isOver = true;
  })();
  const submitters = Array.from({ length: 8 }, async (_, who) => {
    for (let n = 0; !isOver; n++) {
      const text = `${who}-${n}`;
      const answer = await home.submit(form, { [TEXT_FIELD_ID]: text });
      if (answer.status === 200) acknowledged.set(answer.body.submission_id, text);
      else refused.push(answer);
    }
  });
  const reader = (async () => {
    while (!isOver) {
      const answer = await home.call('GET', `/open/forms/${form.id}/submissions?per_page=1`);
      expectWellOrUnavailable(answer);
      await pause(5);
    }
  })();
  await Promise.all([killer, reader, ...submitters]);
  for (const answer of refused) expectWellOrUnavailable(answer);
  await until(async () => (await home.submit(form, { [TEXT_FIELD_ID]: 'after' })).status === 200);
  const stored = await storedTexts();
  for (const [id, text] of acknowledged) expect(stored.get(id)).toBe(text);
  expect(acknowledged.size).toBeGreaterThanOrEqual(20);
  expect(await counterOf(form.id)).toBe(stored.size);
});

test('a locked table is 503 in time for everybody who waits, and forgotten when the lock is', async () => {
  await outside.query('begin; lock table submissions in access exclusive mode');
  // More than a batch of the intake can hold, and some that come later. The lock stays until all are answered.
  const first = Array.from({ length: 400 }, (_, n) => submitted(`locked ${n}`));
  await pause(500);
  const late = Array.from({ length: 50 }, (_, n) => submitted(`late ${n}`));
  for (const answer of await Promise.all([...first, ...late])) {
    expect(answer.status, answer.text).toBe(503);
    expectWellOrUnavailable(answer);
  }
  await outside.query('rollback');
  await until(async () => (await home.submit(form, { [TEXT_FIELD_ID]: 'unlocked' })).status === 200);
  const stored = await storedTexts();
  expect(await counterOf(form.id)).toBe(stored.size);
});

test('a token is known again as soon as the database is', async () => {
  const token = await aToken(home.service, home.ada, ['forms-read']);
  await outside.query('begin; lock table access_tokens in access exclusive mode');
  const waiting = home.call('GET', `/open/forms/${form.id}`, undefined, token);
  await pause(200);
  await outside.query('rollback');
  expect((await waiting).status).toBe(200);
});

test('no free connection is 503, and over by itself', async () => {
  const { database } = home.service.database.connection as { database: string };
  await outside.query(`alter database ${database} connection limit 1`);
  try {
    await outside.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    // A superuser is let in despite the limit, so this checks something only where the service is no superuser.
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => home.submit(form, { [TEXT_FIELD_ID]: `full ${n}` })),
    );
    for (const answer of answers) expectWellOrUnavailable(answer);
  } finally {
    await outside.query(`alter database ${database} connection limit -1`);
  }
  await until(async () => (await home.submit(form, { [TEXT_FIELD_ID]: 'room' })).status === 200);
});

test('reads wait in line for a locked table and are 503 in time; what does not need it goes on', async () => {
  await outside.query('begin; lock table submissions in access exclusive mode');
  try {
    let answered = 0;
    const reads = Array.from({ length: 8 }, async () => {
      const answer = await home.call('GET', `/open/forms/${form.id}/submissions`);
      answered += 1;
      return answer;
    });
    await pause(100);
    expect((await home.call('GET', `/open/forms/${form.id}`)).status).toBe(200);
    expect((await home.service.request('GET', '/livez')).status).toBe(200);
    expect(answered).toBe(0);
    for (const answer of await Promise.all(reads)) {
      expect(answer.status).toBe(503);
      expectWellOrUnavailable(answer);
    }
  } finally {
    await outside.query('rollback');
  }
});

function submitted(text: string): Promise<Answer> {
  return home.submit(form, { [TEXT_FIELD_ID]: text });
}

function expectWellOrUnavailable(answer: Answer): void {
  expect([200, 503], answer.text).toContain(answer.status);
  if (answer.status === 200) return;
  expect(answer.body.message).toBe('The service is temporarily unavailable. Please try again.');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

async function storedTexts(): Promise<Map<string, string>> {
  const { rows } = await outside.query('select public_id, data from submissions where form_id = $1', [
    form.id,
  ]);
  return new Map(rows.map((row) => [row.public_id, row.data[TEXT_FIELD_ID]]));
}

async function counterOf(formId: number): Promise<number> {
  const { rows } = await outside.query('select completed_count from form_counters where form_id = $1', [
    formId,
  ]);
  return rows[0].completed_count;
}
