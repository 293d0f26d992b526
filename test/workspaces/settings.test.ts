import { expect, test } from 'vitest';
import { upload } from '../files/upload.ts';
import { aField, aForm, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { inLine } from '../setup/meanwhile.ts';
import { until } from '../setup/until.ts';

const home = useHome({ env: { ROLES: 'http' } });
const change = (id: number, body: unknown) => home.call('PUT', `/open/workspaces/${id}/settings`, body);

test('keep what is not named, and are in force at once', async () => {
  const id = await aWorkspace(home.service, home.ada);
  const first = await change(id, { max_file_size: 1, external_file_links: { expires_in_hours: 2 } });
  expect(first.status, first.text).toBe(200);
  const settings = { external_file_links: { expires_in_hours: 2 } };
  expect(first.body.workspace).toMatchObject({ id, max_file_size: 1, settings });
  expect((await change(id, { max_file_size: 2 })).body.workspace).toMatchObject({
    max_file_size: 2,
    settings,
  });
  expect((await change(id, {})).body.workspace).toMatchObject({ max_file_size: 2, settings });
  const cleared = await change(id, { external_file_links: { expires_in_hours: null } });
  expect(cleared.body.workspace).toMatchObject({ max_file_size: 2 });
  expect(cleared.body.workspace.settings).toEqual({});
  const again = await change(id, { external_file_links: { expires_in_hours: 0.5 } });
  expect(again.body.workspace.settings).toEqual({ external_file_links: { expires_in_hours: 0.5 } });
  const listed = (await home.call('GET', '/open/workspaces')).body.find((one: any) => one.id === id);
  expect(listed).toMatchObject({ max_file_size: 2, settings: again.body.workspace.settings });
});

test('null is the default again', async () => {
  const id = await aWorkspace(home.service, home.ada);
  const set = { max_file_size: 3, external_file_links: { expires_in_hours: 2 } };
  for (const links of [{ expires_in_hours: null }, null]) {
    expect((await change(id, set)).body.workspace).toMatchObject({
      max_file_size: 3,
      settings: { external_file_links: { expires_in_hours: 2 } },
    });
    const cleared = await change(id, { max_file_size: null, external_file_links: links });
    expect(cleared.status, cleared.text).toBe(200);
    expect(cleared.body.workspace.max_file_size).toBe(25);
    expect(cleared.body.workspace.settings).toEqual({});
  }
});

test('the size of files holds for the next upload', async () => {
  const id = await aWorkspace(home.service, home.ada);
  const field = aField('d1', 'files', 'Papers');
  const form = await aForm(home.service, home.ada, id, { properties: [field] });
  const send = () => upload(home.service, form, field.id, 'a'.repeat(200_000), 'long.txt');
  expect((await send()).status).toBe(201);
  await change(id, { max_file_size: 0.1 });
  expect((await send()).status).toBe(413);
});

test('the size of files holds for a form that is moved there meanwhile', async () => {
  const { service, ada } = home;
  const id = await aWorkspace(service, ada);
  const field = aField('d1', 'files', 'Papers');
  const there = await aForm(service, ada, id);
  const moved = await home.form({ properties: [field] });
  const send = () => upload(service, moved, field.id, 'a'.repeat(200_000), 'long.txt');
  await inLine(
    service.context.pool,
    // The change has to wait for this form when it has listed those of the workspace.
    (client) => client.query('select from forms where id = $1 for update', [there.id]),
    [
      () => change(id, { max_file_size: 0.1 }),
      async () => {
        const answer = await home.call('POST', `/open/forms/${moved.id}/move`, { workspace_id: id });
        expect(answer.status, answer.text).toBe(200);
        await send();
      },
    ],
  );
  expect((await send()).status).toBe(413);
});

test('a change locks forms in the order of the intake, so that neither stops the other', async () => {
  const { service, ada } = home;
  const id = await aWorkspace(service, ada);
  const [first, second] = [await aForm(service, ada, id), await aForm(service, ada, id)];
  // Without an order, the table and its index would now give the first form last.
  const moved = `update forms set updated_at = updated_at - interval '1 hour' where id = $1`;
  await service.context.pool.query(moved, [first.id]);
  const batch = await service.context.pool.connect();
  try {
    await batch.query('begin');
    await batch.query('select from forms where id = $1 for share', [first.id]);
    const changing = change(id, { max_file_size: 4 });
    await until(async () => {
      const { rowCount } = await service.context.pool.query(`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      return rowCount === 1;
    });
    await batch.query('select from forms where id = $1 for share nowait', [second.id]);
    await batch.query('commit');
    expect((await changing).status).toBe(200);
  } finally {
    batch.release(true);
  }
});

test.each<[unknown, string]>([
  [{ max_file_size: 0 }, 'max_file_size'],
  [{ max_file_size: 1_025 }, 'max_file_size'],
  [{ max_file_size: '5' }, 'max_file_size'],
  [{ external_file_links: 5 }, 'external_file_links'],
  [{ external_file_links: { expires_in_hours: 0 } }, 'external_file_links.expires_in_hours'],
  [{ external_file_links: { expires_in_hours: 9_000 } }, 'external_file_links.expires_in_hours'],
])('refuse %j', async (body, key) => {
  expectInvalid(await change(home.workspaceId, body), key);
});
