import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openPool } from '../../server/db/database.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();

/** Makes the database refuse writes, as an old primary does after a fail-over that the service was not told of. */
async function makeReadOnly(isReadOnly: boolean): Promise<void> {
  const { database, ...server } = home.service.context.connection as { database: string };
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  try {
    await admin.query(
      `alter database ${database} ${isReadOnly ? 'set' : 'reset'} default_transaction_read_only ${isReadOnly ? '= on' : ''}`,
    );
    if (isReadOnly)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
  } finally {
    await admin.end();
  }
}

const readiness = async () => (await home.service.request('GET', '/readyz')).status;

test('a database that takes no writes is down, and up again on connections that are made anew', async () => {
  const form = await home.form();
  const rename = () => home.call('PUT', `/open/forms/${form.id}`, { title: 'Renamed' });
  const submit = () => home.submit(form, { [TEXT_FIELD_ID]: 'Grace' });
  await makeReadOnly(true);
  await until(async () => (await readiness()) === 503, { what: 'not being ready' });
  for (const work of [rename, submit]) {
    // The first request may find its old connection ended; the later ones find the server read-only.
    for (let turn = 0; turn < 3; turn++) {
      const answer = await work();
      expect(answer.status, answer.text).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }

  // Nothing ends these connections from outside or makes them writable, so the service must drop them itself.
  await makeReadOnly(false);
  for (const work of [rename, submit])
    await until(async () => (await work()).status === 200, { what: 'a connection that takes writes' });
  await until(async () => (await readiness()) === 200, { what: 'being ready' });
});

test('the database is asked also after the clock was set back', async () => {
  expect(await readiness()).toBe(200);
  const now = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
  onTestFinished(() => clock.mockRestore());
  await makeReadOnly(true);
  await until(async () => (await readiness()) === 503, { what: 'not being ready' });
  await makeReadOnly(false);
});

test('connections that the server closes are told of, but not to a pool that is ending', async () => {
  const { connection, pool: admin } = home.service.context;
  const onError = vi.fn();
  const endConnection = async (isEnding: boolean) => {
    const pool = openPool(connection, onError, { max: 1 });
    const client = await pool.connect();
    const { rows } = await client.query('select pg_backend_pid() as pid');
    const closed = new Promise<void>((resolve) => client.once('end', resolve));
    const ended = isEnding ? pool.end() : null;
    await admin.query('select pg_terminate_backend($1)', [rows[0].pid]);
    await closed;
    client.release(true);
    await (ended ?? pool.end());
  };
  const stopped = expect.objectContaining({ code: '57P01' });
  await endConnection(true);
  expect(onError).not.toHaveBeenCalledWith(stopped);
  await endConnection(false);
  expect(onError).toHaveBeenCalledWith(stopped);
});
