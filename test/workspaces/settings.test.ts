import { expect, test } from 'vitest';
import { aField, aForm, aWorkspace } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

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
  const upload = async () => {
    const body = new FormData();
    body.append('file', new File([new Uint8Array(200_000).fill(97)], 'long.txt'));
    const url = `${home.service.url}/forms/${form.slug}/files?field=${field.id}`;
    return (await fetch(url, { method: 'POST', body })).status;
  };
  expect(await upload()).toBe(201);
  await change(id, { max_file_size: 0.1 });
  expect(await upload()).toBe(413);
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
