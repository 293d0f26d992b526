import type { Socket } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { aLargeForm, copiesUnderWay, LARGE_ROWS, useStalledReaders } from '../setup/long-copies.ts';
import { until } from '../setup/until.ts';

/** Exports that a process streams at a time. */
const CONNECTIONS = 3;
const columns = { [TEXT_FIELD_ID]: true };

const home = useHome({ env: { EXPORT_SYNC_LIMIT: '1000000' } });
const stalledReader = useStalledReaders(home);
let form: { id: number; slug: string };
beforeAll(async () => {
  form = await aLargeForm(home);
});

const query = (text: string, values: unknown[] = []) => home.service.context.pool.query(text, values);
const copies = () => copiesUnderWay(home);

/** Requests an export and never reads it. */
function ask(path: string, body: unknown): Socket {
  const text = JSON.stringify(body);
  return stalledReader(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${home.ada.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  );
}

const exportPath = () => `/open/forms/${form.id}/submissions/export`;

test('an export ends with its client, and so does the wait for one: the next one finds a place at once', async () => {
  const readers = Array.from({ length: CONNECTIONS }, () => ask(exportPath(), { columns }));
  await until(async () => (await copies()) === CONNECTIONS, { what: 'as many exports as there are places' });
  const waiting = Array.from({ length: 20 }, () => ask(exportPath(), { columns }));
  const recorded = async () =>
    (await query(`select from audit_events where verb = 'export.created' and form_id = $1`, [form.id]))
      .rowCount;
  await until(async () => (await recorded()) === CONNECTIONS + 20, { what: 'the others in the line' });
  for (const socket of [...waiting, ...readers]) socket.destroy();
  const answer = await home.call('POST', exportPath(), { columns: { id: true } });
  expect(answer.status).toBe(200);
  expect(answer.text.split('\n')).toHaveLength(LARGE_ROWS + 2);
  await until(async () => (await copies()) === 0, { what: 'no statement of those who left' });
});

test('a statement that sends nothing yet is ended as well', async () => {
  // The export waits for a lock, so it cannot notice the missing reader when it sends a row.
  const client = await home.service.context.pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table submissions in access exclusive mode');
    const socket = ask(exportPath(), { columns, submissionIds: [] });
    await until(async () => (await copies()) === 1, { what: 'an export that waits for the lock' });
    socket.destroy();
    await until(async () => (await copies()) === 0, { what: 'its end while the lock is still held' });
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('a search for a person ends with its client', async () => {
  const path = `/open/workspaces/${home.workspaceId}/people/export`;
  const client = await home.service.context.pool.connect();
  try {
    // Makes every search wait in its first step.
    await client.query('begin');
    await client.query('lock table submissions in access exclusive mode');
    const socket = ask(path, { value: 'nobody at all' });
    const searches = async () =>
      (
        await query(
          `select from pg_stat_activity where datname = current_database() and state = 'active'
           and wait_event_type = 'Lock' and query ilike '%looked_at%'`,
        )
      ).rowCount;
    await until(async () => (await searches()) === 1, { what: 'a search' });
    const next = ask(path, { value: 'nobody else' });
    const left = new Promise((resolve) => socket.once('close', resolve));
    socket.destroy();
    await left;
    await client.query('commit');
    // The next search runs, so the one before has ended after its first step.
    let text = '';
    next.on('data', (chunk) => {
      text += chunk;
    });
    next.resume();
    await until(() => text.includes('"invites"'), { what: 'the whole document of the next one' });
  } finally {
    client.release();
  }
});
