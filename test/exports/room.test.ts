import { expect, test } from 'vitest';
import type { Context } from '../../server/context.ts';
import { buildExport } from '../../server/exports/jobs/build-export.ts';
import { storedFiles } from '../privacy/everywhere.ts';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectRefused, useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';

/** Everybody who may read may export, so exports must fill neither the disk nor the queue. */
const home = useHome({ env: { ROLES: 'http', EXPORT_SYNC_LIMIT: '0' } });
const NEVER = new AbortController().signal;
const DISK = 2_000_000_000;
const MAX_UNFINISHED = 20;

const pathOf = (form: { id: number }) => `/open/forms/${form.id}/submissions/export`;
const ask = (form: { id: number }, format = 'csv') =>
  home.call('POST', pathOf(form), { columns: { [TEXT_FIELD_ID]: true }, format });

/** A form with this many kilobytes of answers. */
async function aFormWith(kilobytes: number) {
  const form = await home.form();
  await prepareRows(home.service, [
    `insert into submissions (form_id, public_id, status, data)
     select $1, gen_random_uuid(), 'completed', jsonb_build_object('${TEXT_FIELD_ID}', repeat(n % 10 || 'abc', 250))
     from generate_series(1, $2::int) n`,
    [form.id, kilobytes],
  ]);
  return form;
}

/** Builds the export on a disk whose free space at each check is `free`. */
async function built(form: { id: number }, jobId: string, free: (look: number) => number) {
  const { context } = home.service;
  let looks = 0;
  const files = { ...context.files, space: async () => ({ free: free(looks++), total: DISK }) };
  await buildExport({ ...context, files } as Context, context.pool, jobId, NEVER);
  const { body } = await home.call('GET', `${pathOf(form)}/status/${jobId}`);
  return { body, looks };
}

const NO_ROOM = { status: 'failed', error_message: 'There is not enough room where exports are kept.' };

test.each(['csv', 'xlsx', 'zip', 'sqlite', 'parquet'])('without room there is no %s file', async (format) => {
  const form = await aFormWith(1);
  const { job_id } = (await ask(form, format)).body;
  expect((await built(form, job_id, () => DISK / 20)).body).toMatchObject(NO_ROOM);
  expect(await storedFiles(home.service.context)).toEqual([]);
});

test.each(['csv', 'sqlite'])(
  'a %s file that would take the last room is given up in the midst, and nothing of it stays',
  async (format) => {
    const form = await aFormWith(20_000);
    const { job_id } = (await ask(form, format)).body;
    const { body, looks } = await built(form, job_id, (look) => (look < 2 ? DISK / 2 : DISK / 20));
    expect(body).toMatchObject(NO_ROOM);
    expect(looks).toBe(3);
    expect(await storedFiles(home.service.context)).toEqual([]);
  },
);

test('a form has twenty unfinished jobs at most, also of those that are asked for at once', async () => {
  const form = await aFormWith(1);
  const answers = await Promise.all(Array.from({ length: MAX_UNFINISHED + 5 }, () => ask(form)));
  const jobs = answers.filter(({ status }) => status === 200);
  expect(jobs).toHaveLength(MAX_UNFINISHED);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectRefused(answer, 429);
    expect(answer.body.message).toContain('20 exports that are not finished');
    expect(answer.headers.get('retry-after')).toBe('60');
  }
  expect((await ask(await aFormWith(1))).status).toBe(200);
  const jobId = jobs[0]?.body.job_id;
  expect((await built(form, jobId, () => DISK)).body.status).toBe('completed');
  expect((await ask(form)).status).toBe(200);
});

test('exports that are asked for at once wait for each other only while they are counted', async () => {
  const form = await aFormWith(1);
  await withSlowQueue(async () => {
    const answers = await Promise.all(Array.from({ length: MAX_UNFINISHED }, () => ask(form)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

/** One after the other, sixteen on as many connections would wait for longer than the 5 s that a statement may take. */
async function withSlowQueue(work: () => Promise<void>): Promise<void> {
  const { pool } = home.service.context;
  const jobs = 'graphile_worker._private_jobs';
  await pool.query(`create function queue_slowly() returns trigger language plpgsql as
    'begin perform pg_sleep(0.4); return new; end'`);
  await pool.query(
    `create trigger slow before insert on ${jobs} for each row execute function queue_slowly()`,
  );
  try {
    await work();
  } finally {
    await pool.query(`drop trigger slow on ${jobs}`);
    await pool.query('drop function queue_slowly');
  }
}
