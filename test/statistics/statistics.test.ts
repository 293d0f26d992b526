import { describe, expect, test } from 'vitest';
import { enqueue } from '../../server/jobs/enqueue.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http' } });
const today = () => new Date().toISOString().slice(0, 10);

async function statistics(form: { id: number }, query = ''): Promise<any> {
  const answer = await home.call('GET', `/open/forms/${form.id}/statistics${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

/** Runs the job that the schedule starts every minute. */
async function countAll(): Promise<void> {
  await enqueue(home.service.context.db, 'count_submissions', {});
  await runAllJobs(home.service.context);
}

/** Moves a submission to another time, which otherwise cannot be changed. */
async function created(form: { id: number }, submissionId: string, moment: string): Promise<void> {
  await home.service.context.pool.query(
    'update submissions set created_at = $3 where form_id = $1 and public_id = $2',
    [form.id, submissionId, moment],
  );
}

test('say the same before and after the submissions are counted', async () => {
  const form = await home.form({ enable_partial_submissions: true });
  const times = [10, 20, 40, 3_600];
  for (const completion_time of times)
    await home.submit(form, { completion_time, tracking_parameters: { utm_source: 'letter', gclid: 'x' } });
  await home.submit(form, { tracking_parameters: { utm_source: ' poster ', utm_campaign: 'spring' } });
  const { body } = await home.submit(form, { [form.properties[0].id]: 'A', is_partial: true });
  const before = await statistics(form);
  expect(before.totals).toEqual({
    views: 0,
    starts: 0,
    completed: 5,
    partial: 1,
    completion_rate: null,
    median_completion_time: 30,
    average_completion_time: 917.5,
  });
  expect(before.sources).toEqual({
    utm_source: {
      none: 0,
      values: [
        { value: 'letter', completed: 4 },
        { value: 'poster', completed: 1 },
      ],
      other: 0,
    },
    utm_medium: { none: 5, values: [], other: 0 },
    utm_campaign: { none: 4, values: [{ value: 'spring', completed: 1 }], other: 0 },
  });
  await countAll();
  expect(await statistics(form)).toEqual(before);

  const { submission_hash } = body;
  await home.submit(form, { [form.properties[0].id]: 'A', submission_hash, completion_time: 60 });
  const [completed] = await home.records(form);
  expect((await statistics(form)).totals).toMatchObject({
    completed: 6,
    partial: 0,
    median_completion_time: 40,
  });
  await home.call('PUT', `/open/forms/${form.id}/submissions/${completed.id}`, { completion_time: 30 });
  expect((await statistics(form)).totals).toMatchObject({ completed: 6, median_completion_time: 30 });
  await home.call('DELETE', `/open/forms/${form.id}/submissions/${completed.id}`);
  await countAll();
  const after = await statistics(form);
  expect(after).toEqual({ ...before, totals: { ...before.totals, partial: 0 }, days: after.days });
});

test('by day, every day of the range', async () => {
  const form = await home.form();
  const { body } = await home.submit(form, {});
  await created(form, body.submission_id, '2024-02-28T23:59:59.999Z');
  const next = (await home.submit(form, {})).body;
  await created(form, next.submission_id, '2024-02-29T00:00:00Z');
  await countAll();
  const { days, totals, from, to } = await statistics(form, '?from=2024-02-28&to=2024-03-01');
  expect([from, to]).toEqual(['2024-02-28', '2024-03-01']);
  expect(days.map(({ date, completed }: any) => [date, completed])).toEqual([
    ['2024-02-28', 1],
    ['2024-02-29', 1],
    ['2024-03-01', 0],
  ]);
  expect(totals.completed).toBe(2);
  const recent = await statistics(form);
  expect(recent.days).toHaveLength(30);
  expect(recent.days.at(-1).date).toBe(today());
  expect(recent.totals.completed).toBe(0);
});

test('of values that anybody can make up there are a hundred a day, and every number can be taken back', async () => {
  const form = await home.form();
  const ids: number[] = [];
  for (let n = 0; n < 120; n++) await home.submit(form, { tracking_parameters: { utm_source: `s${n}` } });
  await countAll();
  for (const { id } of await home.records(form)) ids.push(id);
  const places = async () => {
    const { rows } = await home.service.context.pool.query(
      `select place = '' as is_rest, sum(count)::int as count, count(*)::int as rows from form_days
       where form_id = $1 and kind = 'utm_source' group by 1 order by 1`,
      [form.id],
    );
    return rows;
  };
  expect(await places()).toEqual([
    { is_rest: false, count: 100, rows: 100 },
    { is_rest: true, count: 20, rows: 1 },
  ]);
  const { sources } = await statistics(form);
  expect(sources.utm_source).toMatchObject({ none: 0, other: 70 });
  // On that day, the room of deleted sources is not given to new ones, so that the rest stays the rest.
  await home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds: ids.slice(0, 60) });
  for (let n = 0; n < 5; n++) await home.submit(form, { tracking_parameters: { utm_source: `new${n}` } });
  await countAll();
  const records = await home.call('GET', `/open/forms/${form.id}/submissions`);
  const rest = await places();
  expect(rest.reduce((sum: number, { count }: any) => sum + count, 0)).toBe(65);
  const left = records.body.data.map(({ id }: any) => id);
  await home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds: left });
  expect(await places()).toEqual([]);
});

describe('a range', () => {
  test.each([
    ['?from=2024-02-30', 'from'],
    ['?to=yesterday', 'to'],
    ['?from=2024-01-01T00:00:00Z', 'from'],
    ['?from=2024-02-02&to=2024-02-01', 'from'],
    ['?from=2022-01-01&to=2024-01-02', 'from'],
    ['?from=0000-01-01', 'from'],
  ])('%s is refused', async (query, key) => {
    const form = await home.form();
    expectInvalid(await home.call('GET', `/open/forms/${form.id}/statistics${query}`), key);
  });

  test('may be two years long', async () => {
    const form = await home.form();
    expect((await statistics(form, '?from=2023-01-01&to=2024-12-31')).days).toHaveLength(731);
  });

  test('begins in the year 1 at the earliest', async () => {
    const form = await home.form();
    const { from, days } = await statistics(form, '?to=0001-01-02');
    expect([from, days.length]).toEqual(['0001-01-01', 2]);
  });
});
