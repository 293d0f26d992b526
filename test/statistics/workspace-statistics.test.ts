import { expect, test } from 'vitest';
import { enqueue } from '../../server/jobs/enqueue.ts';
import { aWorkspace } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { prepareRows } from '../setup/prepare-rows.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http' } });
const DAY_MS = 86_400_000;
const VISITOR = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' };
const dayAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const query = (text: string, values: unknown[]) => home.service.context.pool.query(text, values);

async function statistics(workspaceId: number, search = '', token?: string): Promise<any> {
  const path = `/open/workspaces/${workspaceId}/statistics${search}`;
  const answer = await home.call('GET', path, undefined, token);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const statisticsOf = async (form: { id: number }, search: string) =>
  (await home.call('GET', `/open/forms/${form.id}/statistics${search}`)).body;

/** Sends as many submissions, on the day that was so many days ago. */
async function answered(form: any, count: number, daysAgo = 0): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { body } = await home.submit(form, {});
    await query(
      'update submissions set created_at = created_at - make_interval(days => $2) where public_id = $1',
      [body.submission_id, daysAgo],
    );
  }
}

async function countAll(): Promise<void> {
  await enqueue(home.service.context.db, 'count_submissions', {});
  await runAllJobs(home.service.context);
}

test('are those of its forms together, before and after they are counted', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Museum');
  const dinner = await home.form({ workspace_id, title: 'Dinner', enable_partial_submissions: true });
  const survey = await home.form({ workspace_id, title: 'Survey', max_submissions_count: 2 });
  const silent = await home.form({ workspace_id, title: 'Silent', visibility: 'closed' });
  await home.form({ workspace_id, title: 'Draft', visibility: 'draft' });
  await home.form({ title: 'Elsewhere' }).then((other) => answered(other, 1));
  await answered(dinner, 3);
  await answered(dinner, 2, 3);
  await answered(dinner, 4, 8);
  await answered(dinner, 1, 14);
  await answered(survey, 1);
  await answered(survey, 1, 6);
  await home.submit(dinner, { [dinner.properties[0].id]: 'A', is_partial: true });
  for (let visit = 0; visit < 4; visit++)
    await home.service.request('GET', `/forms/${survey.slug}`, { headers: VISITOR });

  const search = `?from=${dayAgo(6)}&to=${dayAgo(0)}`;
  const before = await statistics(workspace_id, search);
  expect(before).toMatchObject({ from: dayAgo(6), to: dayAgo(0), forms_count: 3 });
  expect(before.totals).toEqual({
    views: 0,
    starts: 0,
    completed: 7,
    partial: 1,
    completion_rate: null,
    last_day_completed: 4,
    before: { views: 0, starts: 0, completed: 4, partial: 0, completion_rate: null },
  });
  expect(before.days.map(({ date, completed, partial }: any) => [date, completed, partial])).toEqual([
    [dayAgo(6), 1, 0],
    [dayAgo(5), 0, 0],
    [dayAgo(4), 0, 0],
    [dayAgo(3), 2, 0],
    [dayAgo(2), 0, 0],
    [dayAgo(1), 0, 0],
    [dayAgo(0), 4, 1],
  ]);
  expect(
    before.forms.map(({ id, completed, last_day_completed, before }: any) => ({
      id,
      completed,
      last_day_completed,
      before: before.completed,
    })),
  ).toEqual([
    { id: dinner.id, completed: 5, last_day_completed: 3, before: 4 },
    { id: survey.id, completed: 2, last_day_completed: 1, before: 0 },
    { id: silent.id, completed: 0, last_day_completed: 0, before: 0 },
  ]);
  const [first, second, third] = before.forms;
  expect(first).toMatchObject({
    title: 'Dinner',
    is_closed: false,
    max_number_of_submissions_reached: false,
  });
  expect(second).toMatchObject({ is_closed: false, max_number_of_submissions_reached: true });
  expect(third).toMatchObject({ visibility: 'closed', is_closed: true });

  await countAll();
  await answered(dinner, 1);
  const after = await statistics(workspace_id, search);
  expect(after.totals.completed).toBe(8);
  // The same as each form says of itself.
  for (const form of after.forms) {
    const own = (await statisticsOf(form, search)).totals;
    for (const figure of ['views', 'starts', 'completed', 'partial', 'completion_rate'])
      expect([form.title, figure, form[figure]]).toEqual([form.title, figure, own[figure]]);
  }
});

test('count visits, the rate of each form and the days before', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Visits');
  const form = await home.form({ workspace_id });
  const visit = async () => {
    await home.service.request('GET', `/forms/${form.slug}`, { headers: VISITOR });
    const body = { started: true };
    await home.service.request('POST', `/forms/${form.slug}/progress`, { body, headers: VISITOR });
  };
  for (let n = 0; n < 4; n++) await visit();
  await answered(form, 1);
  await expect
    .poll(async () => (await statistics(workspace_id)).totals)
    .toMatchObject({ views: 4, starts: 4, completed: 1, completion_rate: 0.25 });
  // What comes without starts to another form does not raise the rate of all.
  const byProgram = await home.form({ workspace_id });
  await answered(byProgram, 9);
  expect((await statistics(workspace_id)).totals).toMatchObject({ completed: 10, completion_rate: 0.25 });
  await home.call('POST', `/open/forms/${byProgram.id}/trash`);
  await prepareRows(home.service, [
    'update form_days set day = day - 30 where form_id = $1 and kind in ($2, $3)',
    [form.id, 'view', 'start'],
  ]);
  await answered(form, 3, 30);
  const { totals, forms, days } = await statistics(workspace_id);
  const past = { views: 4, starts: 4, completed: 3, partial: 0, completion_rate: 0.75 };
  expect(totals).toMatchObject({ views: 0, starts: 0, completed: 1, completion_rate: null, before: past });
  expect(forms[0].before).toEqual(past);
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({ date: dayAgo(0), views: 0, starts: 0, completed: 1, partial: 0 });
});

test('leave out forms in the trash, and name a draft that was answered', async () => {
  const workspace_id = await aWorkspace(home.service, home.ada, 'Trash');
  const [kept, gone] = [await home.form({ workspace_id }), await home.form({ workspace_id })];
  await answered(kept, 1);
  await answered(gone, 2);
  await home.call('PUT', `/open/forms/${kept.id}`, { visibility: 'draft' });
  await home.call('POST', `/open/forms/${gone.id}/trash`);
  const { totals, forms } = await statistics(workspace_id);
  expect(totals.completed).toBe(1);
  expect(forms).toMatchObject([{ id: kept.id, visibility: 'draft', completed: 1 }]);
});

test('of a workspace without forms are zeros', async () => {
  const id = await aWorkspace(home.service, home.ada, 'Empty');
  const { totals, days, forms, forms_count } = await statistics(id);
  expect(totals).toMatchObject({ completed: 0, completion_rate: null, before: { completed: 0 } });
  expect([days.length, forms, forms_count]).toEqual([30, [], 0]);
});

test.each([
  ['?from=2024-02-30', 'from'],
  ['?to=yesterday', 'to'],
  ['?from=2024-02-02&to=2024-02-01', 'from'],
  ['?from=2023-01-01&to=2024-01-02', 'from'],
])('the range %s is refused', async (search, key) => {
  expectInvalid(await home.call('GET', `/open/workspaces/${home.workspaceId}/statistics${search}`), key);
});

test('a range may begin in the year 1, although nothing is before it', async () => {
  const { days } = await statistics(home.workspaceId, '?from=0001-01-01&to=0002-01-01');
  expect(days).toHaveLength(366);
});

test('are read by any member', async () => {
  const { token } = await home.member('readonly');
  expect((await statistics(home.workspaceId, '', token)).totals).toBeDefined();
});

test('name a thousand forms at most, and count all', async () => {
  const id = await aWorkspace(home.service, home.ada, 'Many');
  await prepareRows(
    home.service,
    [
      `with made as (
        insert into forms (workspace_id, slug, title)
        select $1, 'many-' || n, 'Form ' || n from generate_series(1, 1005) n returning id)
      insert into form_counters (form_id) select id from made`,
      [id],
    ],
    [
      `insert into form_days (form_id, day, kind, place, count)
      select id, current_date - n, kind, place, 2 from forms, generate_series(0, 29) n,
        (values ('view', 'phone'), ('view', 'desktop'), ('start', ''), ('completed', '')) as one (kind, place)
      where workspace_id = $1`,
      [id],
    ],
  );
  const { totals, forms, forms_count } = await statistics(id, `?from=${dayAgo(6)}&to=${dayAgo(0)}`);
  expect(totals).toMatchObject({ views: 4 * 7 * 1005, starts: 2 * 7 * 1005, completed: 2 * 7 * 1005 });
  expect(totals.before).toMatchObject({ views: 4 * 7 * 1005, completed: 2 * 7 * 1005 });
  expect([forms.length, forms_count]).toEqual([1000, 1005]);
  expect(forms[0]).toMatchObject({ completed: 14, completion_rate: 1, last_day_completed: 2 });
});
