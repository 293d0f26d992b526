import { beforeEach, describe, expect, test } from 'vitest';
import { TEXT_FIELD_ID } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';

const home = useHome({ env: { ROLES: 'http' } });
const DAY_MS = 86_400_000;

let form: any;
const path = (rest = '') => `/open/forms/${form.id}${rest}`;
const read = async () => (await home.call('GET', path())).body;
const idsWith = async (query = '') => {
  const list = await home.call('GET', `/open/workspaces/${home.workspaceId}/forms?per_page=100${query}`);
  return list.body.data.map(({ id }: any) => id);
};
const visit = (rest = '') =>
  home.service.request('GET', `/forms/${form.slug}${rest}`, { headers: { accept: 'text/html' } });

beforeEach(async () => {
  form = await home.form({
    properties: [{ id: TEXT_FIELD_ID, type: 'text', name: 'Name' }],
    tags: ['summer'],
  });
  await home.submit(form, { [TEXT_FIELD_ID]: 'Ada' });
});

test('a form in the trash is offline, in no list, and keeps everything', async () => {
  expect(form.trash_ends_at).toBeNull();
  const { status, body } = await home.call('POST', path('/trash'));
  expect([status, body.message, body.form.id]).toEqual([200, 'The form is in the trash.', form.id]);
  const left = Date.parse(body.form.trash_ends_at) - Date.now();
  expect(left / DAY_MS).toBeGreaterThan(29.9);
  expect(left / DAY_MS).toBeLessThanOrEqual(30);

  // For the public the form does not exist: the answer is the same as for a name that nobody has.
  const [gone, unknown] = [
    await home.submit(form, { [TEXT_FIELD_ID]: 'Ben' }),
    await home.submit({ slug: 'none' }, {}),
  ];
  expect([gone.status, gone.body]).toEqual([404, unknown.body]);
  expect((await visit()).status).toBe(404);
  expect(await idsWith()).not.toContain(form.id);
  expect(await idsWith('&status=draft')).not.toContain(form.id);
  expect(await idsWith('&status=trash')).toContain(form.id);
  const [own, tags, partner] = [
    await home.call('GET', '/open/forms'),
    await home.call('GET', `/open/workspaces/${home.workspaceId}/tags`),
    await home.call('GET', `/external/zapier/forms?workspace_id=${home.workspaceId}`),
  ];
  expect([own.status, tags.status, partner.status]).toEqual([200, 200, 200]);
  expect(own.body.map(({ id }: any) => id)).not.toContain(form.id);
  expect(JSON.stringify(tags.body)).not.toContain('summer');
  expect(JSON.stringify(partner.body)).not.toContain(`"${form.slug}"`);

  // Members can still read it.
  expect((await home.records(form)).map(({ data }: any) => data[TEXT_FIELD_ID])).toEqual(['Ada']);
  expect(await read()).toMatchObject({ visibility: 'draft', trash_ends_at: body.form.trash_ends_at });
  // Trashing it again does not restart the time.
  const again = await home.call('POST', path('/trash'));
  expect([again.status, again.body.form.trash_ends_at]).toEqual([200, body.form.trash_ends_at]);
});

describe('taken out', () => {
  test.each(['public', 'closed', 'draft'])('a form is what it was: %s', async (visibility) => {
    await home.call('PUT', path(), { visibility });
    const { version, updated_at } = await read();
    await home.call('POST', path('/trash'));
    const back = await home.call('DELETE', path('/trash'));
    expect([back.status, back.body.message]).toEqual([200, 'The form is back.']);
    expect(await read()).toMatchObject({ visibility, trash_ends_at: null, version, updated_at });
    expect(await idsWith()).toContain(form.id);
    const { status } = await home.submit(form, { [TEXT_FIELD_ID]: 'Ben' });
    expect(status).toBe({ public: 200, closed: 403, draft: 404 }[visibility]);
  });

  test('one that was not there stays as it is', async () => {
    expect((await home.call('DELETE', path('/trash'))).status).toBe(200);
    expect((await read()).visibility).toBe('public');
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'Ben' })).status).toBe(200);
  });
});

test('whoever moves it there, takes it out and deletes it at once waits for the others, and is served', async () => {
  for (let round = 0; round < 6; round++) {
    if (round > 0) form = await home.form({ properties: [] });
    await home.call('POST', path('/trash'));
    const calls = Array.from({ length: 8 }, (_, i) => home.call(i % 2 ? 'POST' : 'DELETE', path('/trash')));
    if (round % 2) calls.push(home.call('DELETE', path()));
    // A deadlock would be ended by the database after a second, with 503 for one of the calls.
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([]);
  }
});

test('what is in the trash is not changed, nor published', async () => {
  await home.call('PUT', path('/draft'), { definition: { title: 'Another' }, version: form.version });
  await home.call('POST', path('/trash'));
  const refused = {
    status: 409,
    body: { message: 'The form is in the trash. Take it out first.' },
  };
  expect(await home.call('PUT', path(), { visibility: 'public' })).toMatchObject(refused);
  expect(await home.call('POST', path('/draft/publish'), {})).toMatchObject(refused);
  expect((await visit()).status).toBe(404);
  const copy = await home.call('POST', path('/duplicate'));
  expect(copy.body.new_form).toMatchObject({ visibility: 'draft', trash_ends_at: null });
});

test('after thirty days it is deleted, by the service itself, and not a day before', async () => {
  const { context } = home.service;
  const age = (days: number) =>
    context.pool.query(
      `update trashed_forms set trashed_at = now() - make_interval(days => $2) where form_id = $1`,
      [form.id, days],
    );
  const empty = async () => {
    await context.pool.query(`select graphile_worker.add_job('empty_trash')`);
    await runAllJobs(context);
  };
  await home.call('POST', path('/trash'));
  await age(29);
  await empty();
  expect((await read()).id).toBe(form.id);
  await age(30);
  await empty();
  expect((await home.call('GET', path())).status).toBe(404);
  const { rows } = await context.pool.query('select from submissions where form_id = $1', [form.id]);
  expect(rows).toEqual([]);
  const { body: events } = await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log?limit=2`);
  expect(events.map(({ verb, actor }: any) => [verb, actor.kind])).toEqual([
    ['form.deleted', 'system'],
    ['form.trashed', 'token'],
  ]);
});

test('deleting it does not wait', async () => {
  await home.call('POST', path('/trash'));
  expect((await home.call('DELETE', path())).status).toBe(204);
  expect((await home.call('GET', path())).status).toBe(404);
  expect(await idsWith('&status=trash')).not.toContain(form.id);
});

test('a person is found and erased there as well', async () => {
  const mail = { id: 'mail', type: 'email', name: 'Mail' };
  form = await home.form({ properties: [mail] });
  await home.submit(form, { mail: 'grace@example.com' });
  await home.call('POST', path('/trash'));
  const people = (act: string) =>
    home.call('POST', `/open/workspaces/${home.workspaceId}/people/${act}`, { value: 'grace@example.com' });
  expect(JSON.stringify((await people('find')).body)).toContain('grace@example.com');
  expect((await people('erase')).status).toBe(200);
  expect(await home.records(form)).toEqual([]);
});
