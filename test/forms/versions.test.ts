import { describe, expect, test } from 'vitest';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome({ env: { ROLES: 'http' } });

type Named = { id: number };
const versionsOf = async (form: Named): Promise<any[]> =>
  (await home.call('GET', `/open/forms/${form.id}/versions`)).body;
const whole = (form: Named, version: number | string, token?: string) =>
  home.call('GET', `/open/forms/${form.id}/versions/${version}`, undefined, token);
const restore = (form: Named, version: number | string, token?: string) =>
  home.call('POST', `/open/forms/${form.id}/versions/${version}/restore`, undefined, token);
const read = async (form: Named) => (await home.call('GET', `/open/forms/${form.id}`)).body;

/** Who may answer, how answers are treated, who is notified: none of this is part of a version. */
const DECIDED_FOR_NOW = {
  visibility: 'closed',
  tags: ['old'],
  closes_at: '2030-01-01T00:00:00.000Z',
  max_submissions_count: 5,
  submission_retention_value: 30,
  submission_retention_unit: 'day',
  use_captcha: true,
  editable_submissions: true,
  enable_partial_submissions: true,
  enable_ip_tracking: true,
  auto_save: false,
  re_fillable: true,
  redirect_url: 'https://example.com/thanks',
  can_be_indexed: false,
  seo_meta: { page_title: 'Found' },
  analytics: { provider: 'gtm', tracking_id: 'GTM-1' },
  settings: { works_offline: true },
  translations: { de: { form: { title: 'Gut' } } },
};

async function save(form: Named, body: object): Promise<any> {
  const answer = await home.call('PUT', `/open/forms/${form.id}`, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.form;
}

describe('the history of a form', () => {
  test('begins with the form, and has a version for each save that changes questions, texts or look', async () => {
    const form = await home.form({ title: 'First' });
    const named = { saved_by: { id: home.ada.id, name: 'Ada' }, saved_at: expect.any(String) };
    const first = { version: 1, changed: [], restored_from: null, of_draft: false, ...named };
    expect(await versionsOf(form)).toEqual([first]);
    await save(form, {
      title: 'Second',
      properties: [aTextField(), aField('07', 'email', 'Mail')],
      color: '#ff0000',
    });
    const second = {
      version: 2,
      changed: ['title', 'properties', 'color'],
      restored_from: null,
      of_draft: false,
      ...named,
    };
    expect(await versionsOf(form)).toEqual([second, first]);
    const { title, properties, color } = (await whole(form, 2)).body.definition;
    expect({ title, properties, color }).toMatchObject({ title: 'Second', color: '#ff0000' });
    expect(properties).toHaveLength(2);
    expect((await whole(form, 1)).body).toMatchObject({ ...first, definition: { title: 'First' } });
  });

  test('does not tell of what is decided for now: address, password, who may answer and how long it is kept', async () => {
    const form = await home.form();
    await save(form, { ...DECIDED_FOR_NOW, slug: `moved-${form.id}`, password: 'open sesame' });
    await save(form, {});
    await home.call('PUT', `/open/forms/${form.id}/regenerate-link/slug`);
    expect((await versionsOf(form)).map(({ version }) => version)).toEqual([1]);
    const { definition } = (await whole(form, 1)).body;
    for (const member of [...Object.keys(DECIDED_FOR_NOW), 'slug', 'password'])
      expect([member, Object.hasOwn(definition, member)]).toEqual([member, false]);
    expect(JSON.stringify(definition)).not.toContain('argon');
  });

  test('holds what a draft published, and the beginning of a copy', async () => {
    const form = await home.form();
    await home.call('PUT', `/open/forms/${form.id}/draft`, { description: 'Soon' });
    expect(await versionsOf(form)).toHaveLength(1);
    await home.call('POST', `/open/forms/${form.id}/draft/publish`);
    expect(await versionsOf(form)).toMatchObject([{ version: 2, changed: ['description'] }, { version: 1 }]);
    const copy = (await home.call('POST', `/open/forms/${form.id}/duplicate`)).body.new_form;
    expect(await versionsOf(copy)).toMatchObject([{ version: 1, changed: [], saved_by: { name: 'Ada' } }]);
  });

  test('begins with the next change where it was not kept from the beginning, or was changed by nobody who keeps it', async () => {
    const form = await home.form({ title: 'Old' });
    const { pool } = home.service.context;
    await pool.query('delete from form_versions where form_id = $1', [form.id]);
    expect(await versionsOf(form)).toEqual([]);
    await save(form, { title: 'New' });
    expect(await versionsOf(form)).toMatchObject([
      { version: 2, changed: ['title'], saved_by: { name: 'Ada' } },
      { version: 1, changed: [], saved_by: null, saved_at: form.updated_at },
    ]);
    expect((await whole(form, 1)).body.definition.title).toBe('Old');
    await pool.query("update forms set title = 'By hand', version = version + 1 where id = $1", [form.id]);
    await save(form, { title: 'Newer' });
    const versions = await versionsOf(form);
    const titles = versions.map(async ({ version }) => (await whole(form, version)).body.definition.title);
    expect(await Promise.all(titles)).toEqual(['Newer', 'By hand', 'New', 'Old']);
  });

  test('does not grow by what is sent back as it was read', async () => {
    const form = await home.form({ properties: [aTextField()] });
    await save(form, { ...(await read(form)), visibility: 'closed' });
    await save(form, { ...(await read(form)), redirect_url: 'https://example.com' });
    expect(await versionsOf(form)).toHaveLength(1);
    await save(form, { title: 'New' });
    expect((await versionsOf(form)).map(({ changed }) => changed)).toEqual([['title'], []]);
  });

  test('is whole when many save at once', async () => {
    const form = await home.form();
    const titles = Array.from({ length: 10 }, (_, index) => `Title ${index}`);
    await Promise.all(titles.map((title) => save(form, { title })));
    const versions = await versionsOf(form);
    expect(versions.map(({ version }) => version)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const kept = await Promise.all(
      versions.map(async ({ version }) => (await whole(form, version)).body.definition.title),
    );
    expect(kept.slice(0, -1).sort()).toEqual(titles);
    expect(kept[0]).toBe((await read(form)).title);
  });

  test('forgets the oldest of more than 200', async () => {
    const form = await home.form();
    const { pool } = home.service.context;
    await pool.query('update forms set version = 201 where id = $1', [form.id]);
    await pool.query(
      `insert into form_versions (form_id, version, definition)
       select form_id, n, definition from form_versions, generate_series(2, 201) as n where form_id = $1`,
      [form.id],
    );
    await save(form, { title: 'One too many' });
    const versions = await versionsOf(form);
    expect([versions.length, versions[0].version, versions.at(-1).version]).toEqual([200, 202, 3]);
    expectRefused(await whole(form, 2), 404);
  });

  test('goes with its form, and stays when an account goes', async () => {
    const form = await home.form();
    const grace = await home.newMember('user');
    await home.call('PUT', `/open/forms/${form.id}`, { title: 'By Grace' }, grace.token);
    expect((await versionsOf(form))[0].saved_by).toEqual({ id: grace.id, name: 'Grace' });
    const { pool } = home.service.context;
    await pool.query('delete from users where id = $1', [grace.id]);
    expect((await versionsOf(form))[0].saved_by).toBe(null);
    expect((await home.call('DELETE', `/open/forms/${form.id}`)).status).toBe(204);
    const { rows } = await pool.query('select 1 from form_versions where form_id = $1', [form.id]);
    expect(rows).toEqual([]);
  });

  test('numbers that no version has are none', async () => {
    const form = await home.form();
    for (const version of ['0', '2', '-1', '01', '1e0', '1.0', 'x', '99999999999999999999']) {
      expectRefused(await whole(form, version), 404);
      expectRefused(await restore(form, version), 404);
    }
  });
});

describe('a version that is brought back', () => {
  test('is the form again, with its questions, texts and look, and nothing else', async () => {
    const properties = [aTextField(), aField('08', 'number', 'Age', { id: 'age' })];
    const form = await home.form({ properties, submitted_text: 'Thanks a lot', color: '#00ff00' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'Grace', age: 7 });
    await save(form, {
      properties: [aTextField()],
      submitted_text: 'Bye',
      color: '#0000ff',
      theme: 'notion',
    });
    const later = { ...DECIDED_FOR_NOW, slug: `later-${form.id}` };
    await save(form, { ...later, password: 'open sesame' });
    const answer = await restore(form, 1);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: 'The form is what it was as version 1.' });
    expect(answer.body.version).toBe(4);
    const now = await read(form);
    const { last_edited_human: _, ...stored } = now;
    expect(answer.body.form).toMatchObject(stored);
    expect(now).toMatchObject({ ...later, has_password: true, version: 4, removed_properties: [] });
    const parts = ['title', 'properties', 'submitted_text', 'color', 'theme', 'description'];
    for (const part of parts) expect([part, now[part]]).toEqual([part, form[part]]);
    const [newest] = await versionsOf(form);
    expect(newest).toMatchObject({
      version: 4,
      restored_from: 1,
      changed: expect.arrayContaining(['theme']),
    });
    expect((await home.records(form))[0].data).toMatchObject({ age: 7 });
  });

  test('is asked from then on', async () => {
    const form = await home.form({ properties: [aTextField({ required: true })] });
    await save(form, { properties: [aTextField()] });
    expect((await home.submit(form, {})).status).toBe(200);
    await restore(form, 1);
    expectInvalid(await home.submit(form, {}), TEXT_FIELD_ID);
  });

  test('can be taken back the same way, and the log tells of both', async () => {
    const form = await home.form({ title: 'Good' });
    await save(form, { title: 'Better' });
    await restore(form, 1);
    await restore(form, 2);
    expect((await read(form)).title).toBe('Better');
    expect(await versionsOf(form)).toMatchObject([
      { version: 4, restored_from: 2 },
      { version: 3, restored_from: 1 },
      { version: 2, restored_from: null },
      { version: 1 },
    ]);
    const { body } = await home.call(
      'GET',
      `/open/workspaces/${home.workspaceId}/audit-log?form_id=${form.id}`,
    );
    expect(body.map(({ details }: any) => details.restored_version ?? null)).toEqual([2, 1, null, null]);
  });

  test('is refused where there is a newer one than was known', async () => {
    const form = await home.form({ title: 'One' });
    await save(form, { title: 'Two' });
    await save(form, { title: 'Three' });
    const late = await home.call('POST', `/open/forms/${form.id}/versions/1/restore?over=2`, {});
    expectRefused(late, 409);
    expect(late.body.version).toBe(3);
    expect((await read(form)).title).toBe('Three');
    const known = await home.call('POST', `/open/forms/${form.id}/versions/1/restore?over=3`, {});
    expect([known.status, known.body.version]).toEqual([200, 4]);
    const all = await Promise.all(
      [1, 2, 3].map((n) => home.call('POST', `/open/forms/${form.id}/versions/${n}/restore?over=4`, {})),
    );
    expect(all.map(({ status }) => status).filter((status) => status === 200).length).toBeLessThanOrEqual(2);
  });

  test('is refused over what nobody kept, which is kept then', async () => {
    const form = await home.form({ title: 'One' });
    await save(form, { title: 'Two' });
    const { pool } = home.service.context;
    await pool.query("update forms set title = 'By hand', version = version + 1 where id = $1", [form.id]);
    const late = await home.call('POST', `/open/forms/${form.id}/versions/1/restore?over=2`, {});
    expect([late.status, late.body.version]).toEqual([409, 3]);
    expect((await whole(form, 3)).body.definition.title).toBe('By hand');
    expect((await read(form)).title).toBe('By hand');
  });

  test('leaves the draft; what the form is already makes no version', async () => {
    const form = await home.form({ title: 'Good' });
    await save(form, { title: 'Better' });
    await home.call('PUT', `/open/forms/${form.id}/draft`, { description: 'On its way' });
    expect((await restore(form, 2)).status).toBe(200);
    expect(await versionsOf(form)).toHaveLength(2);
    await restore(form, 1);
    const draft = (await home.call('GET', `/open/forms/${form.id}/draft`)).body;
    expect(draft).toMatchObject({ definition: { description: 'On its way' }, is_outdated: true });
    const published = await home.call('POST', `/open/forms/${form.id}/draft/publish`);
    expect(published.body.form).toMatchObject({ title: 'Good', description: 'On its way' });
  });

  test('can be read by whoever reads forms, and sent as a draft or a change', async () => {
    const form = await home.form({
      title: 'Good',
      properties: [aTextField(), aField('07', 'email', 'Mail', { id: 'mail' })],
    });
    await save(form, { title: 'Better', properties: [] });
    const { token } = await home.member('readonly');
    const { definition } = (await whole(form, 1, token)).body;
    const draft = await home.call('PUT', `/open/forms/${form.id}/draft`, definition);
    expect(draft.body.problems).toEqual({});
    expect(await save(form, definition)).toMatchObject({ title: 'Good', properties: form.properties });
    expectRefused(await restore(form, 1, token), 403);
  });

  test('has to meet the rules there are now', async () => {
    const form = await home.form();
    const { pool } = home.service.context;
    await pool.query(
      `update form_versions set definition = definition || '{"theme": "of-old", "properties": [{"id": "a", "type": "text"}]}'
       where form_id = $1`,
      [form.id],
    );
    expectInvalid(await restore(form, 1), 'theme', 'properties.0.name', 'properties');
    expect(await versionsOf(form)).toHaveLength(1);
  });

  test('brings no code back but by an admin', async () => {
    const form = await home.form({ custom_code: '<script>1</script>' });
    await save(form, { custom_code: null });
    const { token } = await home.member('user');
    expectRefused(await restore(form, 1, token), 403);
    expect((await read(form)).custom_code).toBe(null);
    expect((await restore(form, 1)).status).toBe(200);
    expect((await read(form)).custom_code).toBe('<script>1</script>');
  });
});
