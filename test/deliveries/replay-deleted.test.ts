import { expect, test } from 'vitest';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });
/** More than one statement replays. */
const COUNT = 5_002;

test('a long replay ends when the integration is deleted meanwhile, and leaves nothing waiting', async () => {
  const { context } = home.service;
  const { pool } = context;
  const form = await home.form();
  const made = await home.call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    data: { webhook_url: 'https://receiver.example/' },
  });
  const { id } = made.body.form_integration;
  await home.submit(form, {});
  const { rows } = await pool.query(
    `insert into deliveries (form_id, id, integration_id, submission_id, webhook_id, body, state, finished_at)
     select form_id, nextval('delivery_ids'), integration_id, submission_id, gen_random_uuid(), body, 'delivered', now()
     from deliveries, generate_series(2, $1) where form_id = $2 returning id`,
    [COUNT, form.id],
  );
  const last = Math.max(...rows.map((row) => row.id));
  const path = `/open/forms/${form.id}/integrations/${id}`;
  const waiting = async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    return rowCount;
  };

  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('select from deliveries where id = $1 for update', [last]);
    const replay = home.call('POST', `${path}/deliveries/replay`, { since: '2020-01-01' });
    await until(async () => (await waiting()) === 1, { what: 'the second statement of the replay' });
    let isDeleted = false;
    const deletion = home.call('DELETE', path).then((answer) => {
      isDeleted = true;
      return answer;
    });
    await until(async () => isDeleted || (await waiting()) === 2, { what: 'the deletion' });
    if (isDeleted) await runAllJobs(context);
    await client.query('commit');
    expect((await deletion).status).toBe(200);
    await replay;
  } finally {
    client.release(true);
  }

  await runAllJobs(context);
  const states = await pool.query(
    'select state, count(*)::int from deliveries where form_id = $1 group by 1',
    [form.id],
  );
  expect(states.rows).toEqual([{ state: 'cancelled', count: COUNT }]);
});
