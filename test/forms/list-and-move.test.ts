import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { aForm, aMember, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });

const titles = async (workspaceId: number, query = '') => {
  const answer = await home.call('GET', `/open/workspaces/${workspaceId}/forms${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data.map(({ title }: any) => title);
};
const move = (form: { id: number }, workspaceId: unknown, token?: string) =>
  home.call('POST', `/open/forms/${form.id}/move`, { workspace_id: workspaceId }, token);

describe('the list of forms', () => {
  test('tells of the last submission and of partial ones, can be sorted, and filtered by status', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const make = (title: string, more = {}) =>
      aForm(home.service, home.ada, id, { title, enable_partial_submissions: true, ...more });
    const b = await make('b');
    const a = await make('A', { tags: ['x', 'y'] });
    await make('c', { visibility: 'draft', tags: ['y'] });
    await make('d', { closes_at: '2020-01-01' });
    await make('e', { visibility: 'closed' });
    for (const form of [a, b, b]) await home.submit(form, { [TEXT_FIELD_ID]: 'x' });
    await home.submit(a, { [TEXT_FIELD_ID]: 'x', is_partial: true });
    const { data } = (await home.call('GET', `/open/workspaces/${id}/forms?sort=title&order=asc`)).body;
    expect(data.map(({ title }: any) => title)).toEqual(['A', 'b', 'c', 'd', 'e']);
    const [latest] = await home.records(a);
    expect(data[0]).toMatchObject({
      submissions_count: 1,
      partial_count: 1,
      last_submission_at: latest.created_at,
    });
    expect(data[2]).toMatchObject({ partial_count: 0, last_submission_at: null });
    expect(await titles(id)).toEqual(['e', 'd', 'c', 'A', 'b']);
    expect(await titles(id, '?sort=created_at&order=asc')).toEqual(['b', 'A', 'c', 'd', 'e']);
    expect((await titles(id, '?sort=submissions_count')).slice(0, 2)).toEqual(['b', 'A']);
    expect((await titles(id, '?sort=last_submission_at')).slice(0, 2)).toEqual(['A', 'b']);
    expect(await titles(id, '?status=open')).toEqual(['A', 'b']);
    expect(await titles(id, '?status=closed&sort=title')).toEqual(['e', 'd']);
    expect(await titles(id, '?status=draft&tag=y')).toEqual(['c']);
    expect(await titles(id, '?page=&per_page=&search=&tag=&visibility=&status=&sort=&order=')).toHaveLength(
      5,
    );
    for (const query of ['status=shut', 'sort=slug', 'order=up', 'search=%00', 'tag=a%00b'])
      expectInvalid(await home.call('GET', `/open/workspaces/${id}/forms?${query}`), query.split('=')[0]!);
    expect((await home.call('GET', `/open/workspaces/${id}/tags`)).body).toEqual([
      { tag: 'x', forms_count: 1 },
      { tag: 'y', forms_count: 2 },
    ]);
  });
});

describe('moving', () => {
  test('takes the form along with its submissions, and both workspaces know', async () => {
    const other = await aWorkspace(home.service, home.ada, 'Elsewhere');
    const form = await home.form();
    await home.submit(form, { [TEXT_FIELD_ID]: 'x' });
    const answer = await move(form, other);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.form).toMatchObject({ id: form.id, workspace_id: other, version: form.version });
    expect(await titles(other)).toEqual([form.title]);
    expect(await home.records(form)).toHaveLength(1);
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'y' })).status).toBe(200);
    for (const id of [home.workspaceId, other]) {
      const log = await home.call('GET', `/open/workspaces/${id}/audit-log?verb=form.moved`);
      expect(log.body[0]).toMatchObject({
        form: { id: form.id },
        details: { workspace_id_before: home.workspaceId, workspace_id: other },
      });
    }
    // Moving a form to its own workspace changes nothing.
    expect((await move(form, other)).status).toBe(200);
  });

  test('needs the role in both', async () => {
    const form = await home.form();
    const { token, ...member } = await home.newMember('user');
    const other = await aWorkspace(home.service, home.ada);
    expectRefused(await move(form, other, token), 403);
    await aMember(home.service, home.ada, other, { token, ...member }, 'readonly');
    expectRefused(await move(form, other, token), 403);
    for (const id of [0, 'x', null, 987_654_321]) expectInvalid(await move(form, id), 'workspace_id');
    const own = await aWorkspace(home.service, { token, ...member });
    expect((await move(form, own, token)).status).toBe(200);
    expectRefused(await move(form, home.workspaceId), 403);
  });

  test('code comes in with an admin only', async () => {
    const { token, ...mallory } = await home.newMember('user');
    const own = await aWorkspace(home.service, { token, ...mallory });
    const form = await aForm(home.service, { token, ...mallory }, own, { custom_code: '<script>1</script>' });
    expectRefused(await move(form, home.workspaceId, token), 403);
    const draft = `/open/forms/${form.id}/draft`;
    await home.call('PUT', `/open/forms/${form.id}`, { custom_code: null }, token);
    await home.call('PUT', draft, { custom_code: '<script>1</script>' }, token);
    expectRefused(await move(form, home.workspaceId, token), 403);
    await home.call('DELETE', draft, undefined, token);
    expect((await move(form, home.workspaceId, token)).status).toBe(200);
  });

  test.each(['', '/draft'])(
    'code that is saved into the form%s while it moves does not come along',
    async (path) => {
      const { db } = home.service.context;
      const mallory = await home.newMember('user');
      const own = await aWorkspace(home.service, mallory);
      const form = await aForm(home.service, mallory, own);
      const waiting = (count: number) =>
        until(async () => {
          const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
          return Number(rows[0]?.count) === count;
        });
      const save = { custom_code: '<script>1</script>' };
      const answers = await db.transaction().execute(async (trx) => {
        await sql`select from forms where id = ${form.id} for update`.execute(trx);
        const moving = move(form, home.workspaceId, mallory.token);
        await waiting(1);
        const saving = home.call('PUT', `/open/forms/${form.id}${path}`, save, mallory.token);
        await waiting(2);
        return { moving, saving };
      });
      expect((await answers.moving).status).toBe(200);
      expectRefused(await answers.saving, 409);
      const { body } = await home.call('GET', `/open/forms/${form.id}`);
      expect(body).toMatchObject({ workspace_id: home.workspaceId, custom_code: null });
      expectRefused(await home.call('GET', `/open/forms/${form.id}/draft`), 404);
    },
  );

  test('a workspace that is deleted meanwhile takes it along or gets it not, and nothing is left between', async () => {
    for (let round = 0; round < 5; round++) {
      const other = await aWorkspace(home.service, home.ada);
      const form = await aForm(home.service, home.ada, other);
      const [moved, deleted] = await Promise.all([
        move(form, home.workspaceId),
        home.call('DELETE', `/open/workspaces/${other}`),
      ]);
      expect(deleted.status).toBe(200);
      const { status } = await home.call('GET', `/open/forms/${form.id}`);
      expect([moved.status, status]).toEqual(moved.status === 200 ? [200, 200] : [moved.status, 404]);
    }
  });
});
