import pg from 'pg';
import { expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome();

/** Lets the server refuse all sign-ins, as after a changed password or a moved database; or accept them again. */
async function letIn(isLetIn: boolean, { endsOthers = true } = {}): Promise<void> {
  const { database, ...server } = home.service.context.connection as { database: string };
  const admin = new pg.Client({ ...server, database: 'postgres' });
  await admin.connect();
  try {
    await admin.query(`alter database ${database} allow_connections ${isLetIn}`);
    if (!isLetIn && endsOthers)
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        database,
      ]);
  } finally {
    await admin.end();
  }
}

const readiness = async () => (await home.service.request('GET', '/readyz')).status;

test('without a connection for answers the service is not ready, although it has others', async () => {
  // Nobody has answered a form or asked for the readiness yet, so the intake has no connection.
  await home.form();
  await letIn(false, { endsOthers: false });
  try {
    expect(await readiness()).toBe(503);
  } finally {
    await letIn(true);
  }
  await until(async () => (await readiness()) === 200, { what: 'a service that is ready' });
});

test('a database that refuses connections is down, whatever it says, and up again when it takes them', async () => {
  const form = await home.form();
  const work = [
    () => home.call('GET', `/open/forms/${form.id}`),
    () => home.call('PUT', `/open/forms/${form.id}`, { title: 'Renamed' }),
    () => home.submit(form, { [TEXT_FIELD_ID]: 'Grace' }),
  ];
  await letIn(false);
  for (const attempt of work) {
    // The first request may find its old connection ended; the later ones are refused.
    for (let turn = 0; turn < 3; turn++) {
      const answer = await attempt();
      expect(answer.status, answer.text).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }
  await letIn(true);
  for (const attempt of work)
    await until(async () => (await attempt()).status === 200, { what: 'a connection' });
  expect(await home.records(form)).toHaveLength(1);
});

test('while only new connections are refused, the ones there are serve everybody', async () => {
  const form = await home.form();
  await until(async () => (await readiness()) === 200);
  await letIn(false, { endsOthers: false });
  try {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? home.submit(form, { [TEXT_FIELD_ID]: `Grace ${n}` })
          : home.call('GET', `/open/forms/${form.id}`),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { pool } = home.service.context;
    const asked = Array.from({ length: 40 }, (_, n) => pool.query<{ n: number }>('select $1::int as n', [n]));
    expect((await Promise.all(asked)).map(({ rows }) => rows[0]?.n)).toEqual(asked.map((_, n) => n));
    expect(await readiness()).toBe(200);
  } finally {
    await letIn(true);
  }
});
