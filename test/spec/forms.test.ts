import { describe, expect, test } from 'vitest';
import { aField, aForm, aTextField, aWorkspace, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';

const home = useHome();

const create = (body: unknown, token?: string) => home.call('POST', '/open/forms', body, token);
const read = (ref: number | string, token?: string) =>
  home.call('GET', `/open/forms/${ref}`, undefined, token);
const update = (ref: number | string, body: unknown, token?: string) =>
  home.call('PUT', `/open/forms/${ref}`, body, token);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Every request field of the specification, with a value that is not its default. */
const everyField = {
  title: 'Everything',
  tags: ['alpha', 'beta'],
  language: 'fr',
  custom_domain: 'forms.example.org',
  font_family: 'Inter',
  color: '#123456',
  layout_rtl: true,
  uppercase_labels: true,
  cover_picture: 'https://example.org/cover.png',
  logo_picture: 'https://example.org/logo.png',
  no_branding: true,
  transparent_background: true,
  submit_button_text: 'Send it',
  submitted_text: 'Merci',
  redirect_url: 'https://example.org/thanks',
  re_fillable: true,
  re_fill_button_text: 'Once more',
  confetti_on_submission: true,
  show_progress_bar: true,
  submission_retention_value: 30,
  submission_retention_unit: 'week',
  closed_text: 'Too late',
  max_submissions_count: 10,
  max_submissions_reached_text: 'Full',
  auto_save: false,
  auto_focus: false,
  enable_partial_submissions: true,
  editable_submissions: true,
  editable_submissions_button_text: 'Change it',
  use_captcha: true,
  can_be_indexed: false,
  seo_meta: { page_title: 'Everything' },
  custom_code: '<script>1</script>',
  database_fields_update: [TEXT_FIELD_ID],
  properties: [aTextField({ help: 'Help', placeholder: 'Placeholder', required: true, hidden: false })],
};

describe('POST /open/forms', () => {
  test('answers 201 with the form object itself', async () => {
    const answer = await create({ workspace_id: home.workspaceId, title: 'Bare' });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ workspace_id: home.workspaceId, title: 'Bare', properties: [] });
    expect(answer.body.form).toBeUndefined();
    expect(answer.body.id).toBeTypeOf('number');
    expect(answer.body.slug).toBeTypeOf('string');
    expect(answer.body.uuid).toMatch(UUID);
  });

  test('accepts and returns every request field', async () => {
    const body = {
      ...everyField,
      workspace_id: home.workspaceId,
      closes_at: '2999-12-31T23:59:59.000Z',
      password: 'letmein',
    };
    const answer = await create(body);
    expect(answer.status, answer.text).toBe(201);
    expect(answer.body).toMatchObject(everyField);
    expect(Date.parse(answer.body.closes_at)).toBe(Date.parse(body.closes_at));
    expect((await read(answer.body.id)).body).toMatchObject(everyField);
  });

  test('a returned form carries the returned-only fields, each a text', async () => {
    const form = await home.form({ submission_retention_value: 2, submission_retention_unit: 'day' });
    expect(form).toMatchObject({
      visibility: 'public',
      theme: 'default',
      width: 'centered',
      submission_retention_unit: 'day',
    });
    expect(['auto', 'light', 'dark']).toContain(form.dark_mode);
    expect(['sm', 'md', 'lg']).toContain(form.size);
    expect(['none', 'small', 'full']).toContain(form.border_radius);
    expect(['recaptcha', 'hcaptcha', 'turnstile']).toContain(form.captcha_provider);
  });

  test('a property comes back with id, type, name, help, placeholder, hidden and required', async () => {
    const form = await home.form({ properties: everyField.properties });
    expect(form.properties[0]).toMatchObject(everyField.properties[0] ?? {});
    const blank = aTextField({ help: '', placeholder: '' });
    expect((await home.form({ properties: [blank] })).properties[0]).toMatchObject(blank);
  });

  test('workspace_id and title are required, nothing else', async () => {
    expectInvalid(await create({}), 'title', 'workspace_id');
    expectInvalid(await create({ workspace_id: home.workspaceId }), 'title');
    expectInvalid(await create({ title: 'No home' }), 'workspace_id');
    expectInvalid(await create({ title: '  ', workspace_id: home.workspaceId }), 'title');
    expectInvalid(await create({ title: 'Where', workspace_id: 999_999 }), 'workspace_id');
  });

  test('needs forms-write and the role user', async () => {
    const body = { workspace_id: home.workspaceId, title: 'No' };
    expectRefused(await create(body, await home.tokenWith('forms-read', 'workspaces-write')), 403);
    expectRefused(await create(body, (await home.member('readonly')).token), 403);
    expectRefused(await create(body, (await home.stranger()).token), 403);
    expect((await create(body, (await home.member('user')).token)).status).toBe(201);
  });

  test.each([
    ['visibility', ['public', 'draft', 'closed']],
    ['theme', ['default', 'simple', 'notion', 'minimal', 'transparent']],
    ['dark_mode', ['auto', 'light', 'dark']],
    ['width', ['centered', 'full']],
    ['size', ['sm', 'md', 'lg']],
    ['border_radius', ['none', 'small', 'full']],
    ['presentation_style', ['classic', 'focused']],
  ])('%s takes %j and nothing else', async (field, values) => {
    const body = { workspace_id: home.workspaceId, title: 'Enum' };
    for (const value of values) {
      const answer = await create({ ...body, [field]: value });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body[field]).toBe(value);
    }
    const errors = expectInvalid(await create({ ...body, [field]: 'other' }), field);
    expect(errors[field]).toEqual([`The selected ${field.replaceAll('_', ' ')} is invalid.`]);
  });

  test('language takes the languages of the API family', async () => {
    const languages =
      'ar bn ca cs de en es eu fr gl hi hu it ja jv ko mr nl pa pl pt ru sk sr sv ta te tr uk ur vi zh'.split(
        ' ',
      );
    const form = await home.form();
    for (const language of languages)
      expect((await update(form.id, { language })).body.form?.language).toBe(language);
  });

  test.each([
    ['tags', 'red'],
    ['language', 'xx'],
    ['layout_rtl', 'perhaps'],
    ['re_fillable', 2],
    ['cover_picture', 'no url'],
    ['logo_picture', 'javascript:alert(1)'],
    ['submit_button_text', 'x'.repeat(51)],
    ['re_fill_button_text', 'x'.repeat(51)],
    ['submitted_text', 'x'.repeat(10_001)],
    ['closes_at', 'next week'],
    ['max_submissions_count', 0],
    ['max_submissions_count', 1.5],
    ['seo_meta', 'text'],
    ['properties', 'text'],
    ['custom_domain', 'Not A Domain'],
    ['database_fields_update', 'text'],
    ['captcha_provider', 'cats'],
  ])('%s cannot be %j', async (field, value) => {
    expectInvalid(await create({ workspace_id: home.workspaceId, title: 'Wrong', [field]: value }), field);
  });

  test('retention takes 1 to 3650 days, weeks, months or years, the value and the unit together', async () => {
    const body = { workspace_id: home.workspaceId, title: 'Retention' };
    for (const submission_retention_unit of ['day', 'week', 'month', 'year']) {
      const answer = await create({ ...body, submission_retention_value: 3650, submission_retention_unit });
      expect(answer.status, answer.text).toBe(201);
    }
    const unit = { submission_retention_unit: 'day' };
    expectInvalid(await create({ ...body, ...unit }), 'submission_retention_value');
    for (const submission_retention_value of [0, 3651, 1.5])
      expectInvalid(
        await create({ ...body, ...unit, submission_retention_value }),
        'submission_retention_value',
      );
    expectInvalid(
      await create({ ...body, submission_retention_value: 3, submission_retention_unit: 'hour' }),
      'submission_retention_unit',
    );
  });

  test('a title beyond 255 characters is cut, unknown members are ignored', async () => {
    const answer = await create({ workspace_id: home.workspaceId, title: 't'.repeat(300), nonsense: 1 });
    expect(answer.status).toBe(201);
    expect(answer.body.title).toHaveLength(255);
    expect(answer.body.nonsense).toBeUndefined();
  });
});

describe('form properties', () => {
  test('a property needs a type and a name', async () => {
    const body = { workspace_id: home.workspaceId, title: 'Blocks' };
    for (const [property, key] of [
      [{ name: 'No type' }, 'type'],
      [{ type: 'text' }, 'name'],
    ] as const) {
      const answer = await create({ ...body, properties: [aTextField(), property] });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toContain(`properties.1.${key}`);
    }
  });

  test('a property without an id gets a UUID', async () => {
    const form = await home.form({ properties: [{ type: 'text', name: 'Unnamed' }] });
    expect(form.properties[0].id).toMatch(UUID);
    expect((await home.submit(form, { [form.properties[0].id]: 'kept' })).status).toBe(200);
    expect((await home.records(form))[0].data[form.properties[0].id]).toBe('kept');
  });

  test('a property without a width is answered with `full`, and sent back like that it has not changed', async () => {
    const sent = [aTextField(), aField('01', 'text', 'Half', { width: '1/2' }), aField('02', 'nf-text', 'T')];
    const form = await home.form({ properties: [...sent, aField('03', 'text', 'None', { width: null })] });
    const widths = ['full', '1/2', 'full', 'full'];
    const widthsOf = (answered: { properties: { width: string }[] }) =>
      answered.properties.map(({ width }) => width);
    expect(widthsOf(form)).toEqual(widths);
    const { properties } = (await read(form.id)).body;
    expect(widthsOf({ properties })).toEqual(widths);
    expect(widthsOf((await home.service.request('GET', `/forms/${form.slug}`)).body)).toEqual(widths);
    const events = async () =>
      (await home.call('GET', `/open/workspaces/${home.workspaceId}/audit-log`)).body;
    const [latest] = await events();
    expect((await home.call('PUT', `/open/forms/${form.id}`, { properties })).status).toBe(200);
    expect((await events())[0]).toEqual(latest);
    const less = await home.call('PUT', `/open/forms/${form.id}`, { properties: properties.slice(1) });
    expect(less.body.form.removed_properties).toEqual([properties[0]]);
  });

  test('ids are opaque texts of 1 to 64 visible ASCII characters, unique in the form', async () => {
    const body = { workspace_id: home.workspaceId, title: 'Ids' };
    for (const id of ['a', '0', 'x'.repeat(64), 'field.one/two~!']) {
      const answer = await create({ ...body, properties: [{ id, type: 'text', name: 'N' }] });
      expect(answer.status, answer.text).toBe(201);
      expect(answer.body.properties[0].id).toBe(id);
    }
    for (const id of ['x'.repeat(65), 'a b', 'é', 'a\nb', 7]) {
      const answer = await create({ ...body, properties: [{ id, type: 'text', name: 'N' }] });
      expect(answer.status, JSON.stringify(id)).toBe(422);
    }
    const twins = [
      { id: 'same', type: 'text', name: 'A' },
      { id: 'same', type: 'text', name: 'B' },
    ];
    expect((await create({ ...body, properties: twins })).status).toBe(422);
  });

  test('- and _ in a type name are the same', async () => {
    const options = { multi_select: { options: [{ id: 'a', name: 'Apple' }] } };
    const form = await home.form({
      properties: [aField('01', 'multi-select', 'Fruit', options), aField('02', 'phone-number', 'Phone')],
    });
    const [fruit, phone] = form.properties.map((property: { id: string }) => property.id);
    expectInvalid(await home.submit(form, { [fruit]: ['Pear'] }), fruit);
    expectInvalid(await home.submit(form, { [phone]: 'no phone' }), phone);
    expect((await home.submit(form, { [fruit]: ['Apple'] })).status).toBe(200);
  });

  test('an unknown type is kept and its answers are any JSON value', async () => {
    const form = await home.form({ properties: [aField('01', 'hologram', 'Future')] });
    const { id, type } = form.properties[0];
    expect(type).toBe('hologram');
    const values = [{ deep: [1, { er: null }] }, 'text', 12.5, true, ['a', 1]];
    for (const value of values) expect((await home.submit(form, { [id]: value })).status).toBe(200);
    const stored = (await home.records(form)).map((record) => record.data[id]);
    expect(stored.reverse()).toEqual(values);
  });

  const condition = (value: object) => ({
    operatorIdentifier: 'and',
    children: [{ identifier: TEXT_FIELD_ID, value }],
  });
  const equals = { operator: 'equals', property_meta: { id: TEXT_FIELD_ID, type: 'text' }, value: 'yes' };
  test.each([
    ['no actions', { conditions: condition(equals), actions: [] }],
    ['an unknown action', { conditions: condition(equals), actions: ['explode'] }],
    ['an action that cannot happen', { conditions: condition(equals), actions: ['require-answer'] }],
    [
      'an unknown operator',
      { conditions: condition({ ...equals, operator: 'resembles' }), actions: ['hide-block'] },
    ],
    [
      'no operator',
      { conditions: condition({ property_meta: equals.property_meta }), actions: ['hide-block'] },
    ],
    ['no conditions group', { conditions: { children: 7 }, actions: ['hide-block'] }],
  ])('logic with %s is 422', async (_name, logic) => {
    const answer = await create({
      workspace_id: home.workspaceId,
      title: 'Logic',
      properties: [aTextField(), aField('01', 'text', 'Second', { required: true, logic })],
    });
    expectInvalid(answer, 'properties', 'properties.1.logic');
  });

  test('500 properties and 100 tags are the limit', async () => {
    const body = { workspace_id: home.workspaceId, title: 'Many' };
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ id: `f${index}`, type: 'text', name: `F${index}` }));
    expect((await create({ ...body, properties: many(500) })).status).toBe(201);
    expectInvalid(await create({ ...body, properties: many(501) }), 'properties');
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `tag-${index}`);
    expect((await create({ ...body, tags: tags(100) })).status).toBe(201);
    expectInvalid(await create({ ...body, tags: tags(101) }), 'tags');
  });
});

describe('GET and PUT /open/forms/{id}', () => {
  test('a form is found by its numeric id, its slug and its UUID', async () => {
    const form = await home.form();
    for (const ref of [form.id, form.slug, form.uuid]) {
      expect((await read(ref)).body.id).toBe(form.id);
      expect((await update(ref, { title: `By ${ref}` })).status).toBe(200);
      expect((await read(form.id)).body.title).toBe(`By ${ref}`);
      expect((await home.call('GET', `/open/forms/${ref}/submissions`)).status).toBe(200);
      expect((await home.call('GET', `/open/forms/${ref}/integrations`)).status).toBe(200);
    }
  });

  test('so it is wherever a form is named', async () => {
    const columns = { columns: { status: true } };
    const hook = { integration_id: 'webhook', data: { webhook_url: 'http://127.0.0.1:9/' } };
    for (const name of ['id', 'slug', 'uuid'] as const) {
      const form = await home.form();
      const path = `/open/forms/${form[name]}`;
      const recent = `/external/partner/submissions/recent?form_id=${form[name]}`;
      const answers = [
        await home.call('POST', `${path}/submissions/export`, columns),
        await home.call('POST', `${path}/integrations`, hook),
        await home.call('POST', `${path}/duplicate`),
        await home.call('POST', '/external/partner/webhook', {
          hookUrl: 'http://127.0.0.1:9/',
          form_id: form[name],
        }),
        await home.call('GET', recent),
        await home.call('DELETE', path),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200, 204]);
      expect(answers[1]?.body.form_integration.form_id).toBe(form.id);
    }
  });

  test('a form may be larger than what other bodies may have', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}`;
    const text = (letter: string) => `<p>${letter.repeat(9_000)}</p>`;
    const blocks = Array.from({ length: 150 }, (_, n) => ({
      ...aField(String(100 + n), 'nf-text', `Text ${n}`),
      content: text('a'),
    }));
    expect((await home.call('PUT', path, { properties: [aTextField(), ...blocks] })).status).toBe(200);
    const { body, text: raw } = await home.call('GET', path);
    expect(raw.length).toBeGreaterThan(1024 * 1024);
    expect((await home.call('PUT', path, body)).status).toBe(200);
  });

  test('a form read with GET can be PUT back unchanged', async () => {
    const made = await home.form({
      ...everyField,
      password: 'letmein',
      closes_at: '2999-12-31T23:59:59.500+02:00',
      properties: [
        aTextField(),
        aField('01', 'select', 'Choice', { select: { options: [{ id: 'a', name: 'A' }] } }),
        aField('02', 'number', 'Number', {
          logic: {
            conditions: {
              operatorIdentifier: 'and',
              children: [
                {
                  identifier: TEXT_FIELD_ID,
                  value: {
                    operator: 'equals',
                    property_meta: { id: TEXT_FIELD_ID, type: 'text' },
                    value: 'yes',
                  },
                },
              ],
            },
            actions: ['require-answer'],
          },
        }),
        aField('03', 'hologram', 'Unknown', { anything: { at: ['all'] } }),
        aField('04', 'nf-text', 'Layout', { content: '<p>Hello</p>' }),
      ],
    });
    const before = (await read(made.id)).body;
    const answer = await update(made.id, before);
    expect(answer.status, answer.text).toBe(200);
    const after = (await read(made.id)).body;
    const volatile = { updated_at: 0, last_edited_human: 0, version: 0 };
    expect({ ...after, ...volatile }).toEqual({ ...before, ...volatile });
    expectRefused(await home.submit(made, {}), 403);
  });

  test('PUT replaces what it names and keeps what it does not', async () => {
    const form = await home.form({ closed_text: 'Shut', tags: ['a', 'b'] });
    const answer = await update(form.id, { title: 'New', tags: ['c'] });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    expect(answer.body.form).toMatchObject({ title: 'New', tags: ['c'], closed_text: 'Shut' });
    expect((await read(form.id)).body.properties).toEqual(form.properties);
  });

  test('PUT moves no form into another workspace', async () => {
    const form = await home.form();
    const other = await aWorkspace(home.service, home.ada);
    await update(form.id, { workspace_id: other, title: 'Stays' });
    expect((await read(form.id)).body.workspace_id).toBe(home.workspaceId);
    const foreign = await aWorkspace(home.service, await home.stranger());
    await update(form.id, { workspace_id: foreign, title: 'Stays too' });
    expect((await read(form.id)).body.workspace_id).toBe(home.workspaceId);
  });

  test('PUT checks as POST does, and needs forms-write', async () => {
    const form = await home.form();
    expectInvalid(await update(form.id, { theme: 'neon' }), 'theme');
    expectInvalid(await update(form.id, { title: null }), 'title');
    expectRefused(await update(form.id, { title: 'X' }, await home.tokenWith('forms-read')), 403);
    expectRefused(await update(form.id, { title: 'X' }, (await home.member('readonly')).token), 403);
    expect((await read(form.id)).body.title).toBe(form.title);
  });

  test('GET needs forms-read', async () => {
    const form = await home.form();
    expectRefused(await read(form.id, await home.tokenWith('forms-write')), 403);
    expect((await read(form.id, (await home.member('readonly')).token)).status).toBe(200);
    expectRefused(await read(form.id, (await home.stranger()).token), 403);
    expectRefused(await read(999_999), 404);
  });

  test('the password is returned as a mask and the mask means unchanged', async () => {
    const form = await home.form({ password: 'letmein' });
    expect(form).toMatchObject({ password: '********', has_password: true });
    await update(form.id, { password: '********', title: 'Still shut' });
    expect((await home.submit(form, {}, { 'form-password': 'letmein' })).status).toBe(200);
    expectRefused(await home.submit(form, {}, { 'form-password': '********' }), 403);
    await update(form.id, { password: 'other' });
    expectRefused(await home.submit(form, {}, { 'form-password': 'letmein' }), 403);
    expect((await home.submit(form, {}, { 'form-password': 'other' })).status).toBe(200);
    const opened = await update(form.id, { password: null });
    expect(opened.body.form).toMatchObject({ password: null, has_password: false });
    expect((await home.submit(form, {})).status).toBe(200);
    expect((await read(form.id)).text).not.toContain('other');
  });
});

describe('DELETE /open/forms/{id}', () => {
  test('answers 204 without content and removes the form and all its submissions', async () => {
    const form = await home.form();
    await home.submit(form, { [TEXT_FIELD_ID]: 'soon gone' });
    const answer = await home.call('DELETE', `/open/forms/${form.id}`);
    expect(answer.status).toBe(204);
    expect(answer.text).toBe('');
    expectRefused(await read(form.id), 404);
    expectRefused(await home.call('GET', `/open/forms/${form.id}/submissions`), 404);
    expectRefused(await home.submit(form, { [TEXT_FIELD_ID]: 'late' }), 404);
    expectRefused(await home.call('DELETE', `/open/forms/${form.id}`), 404);
  });

  test('needs forms-write and the role user', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}`;
    expectRefused(await home.call('DELETE', path, undefined, await home.tokenWith('forms-read')), 403);
    expectRefused(await home.call('DELETE', path, undefined, (await home.member('readonly')).token), 403);
    expectRefused(await home.call('DELETE', path, undefined, (await home.stranger()).token), 403);
    expect((await read(form.id)).status).toBe(200);
  });
});

describe('GET /open/workspaces/{workspaceId}/forms', () => {
  const list = (workspaceId: number, query = '', token?: string) =>
    home.call('GET', `/open/workspaces/${workspaceId}/forms${query}`, undefined, token);

  test('answers light summaries without properties, in a data, links, meta envelope', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const form = await aForm(home.service, home.ada, id, { title: 'Listed', tags: ['x'] });
    await home.submit(form, { [TEXT_FIELD_ID]: 'one' });
    const answer = await list(id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toHaveLength(1);
    expect(answer.body.data[0]).toMatchObject({
      id: form.id,
      slug: form.slug,
      title: 'Listed',
      visibility: 'public',
      tags: ['x'],
      submissions_count: 1,
      is_closed: false,
      closes_at: null,
      max_submissions_count: null,
      workspace_id: id,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      share_url: expect.stringContaining(form.slug),
    });
    expect(answer.body.data[0]).not.toHaveProperty('properties');
    expect(answer.body.meta).toMatchObject({ current_page: 1, last_page: 1, from: 1, to: 1, total: 1 });
    expect(answer.body.links).toMatchObject({
      first: expect.any(String),
      last: expect.any(String),
      prev: null,
      next: null,
    });
  });

  test('is paged, the latest change first; per_page is 10 unless asked otherwise, 100 at most', async () => {
    const id = await aWorkspace(home.service, home.ada);
    const made: { id: number }[] = [];
    for (let index = 0; index < 11; index++) made.push(await aForm(home.service, home.ada, id));
    const ids = made.map((form) => form.id).reverse();
    const first = (await list(id)).body;
    expect(first.data.map((form: any) => form.id)).toEqual(ids.slice(0, 10));
    expect(first.meta).toMatchObject({ current_page: 1, last_page: 2, per_page: 10, total: 11 });
    const next = new URL(first.links.next);
    const second = (await home.call('GET', next.pathname + next.search)).body;
    expect(second.data.map((form: any) => form.id)).toEqual(ids.slice(10));
    expect(second.links.next).toBeNull();
    expect((await list(id, '?per_page=1000')).body.meta.per_page).toBe(100);
    expect((await list(id, '?per_page=2&page=99')).body).toMatchObject({
      data: [],
      meta: { from: null, to: null },
    });
  });

  test('readers may, strangers may not; forms-read is needed', async () => {
    expect((await list(home.workspaceId, '', (await home.member('readonly')).token)).status).toBe(200);
    expectRefused(await list(home.workspaceId, '', (await home.stranger()).token), 403);
    expectRefused(
      await list(home.workspaceId, '', await home.tokenWith('workspaces-read', 'forms-write')),
      403,
    );
  });
});

test('GET /open/forms lists the forms of all workspaces of the caller as a bare array', async () => {
  const ids = [
    (await home.form()).id,
    (await aForm(home.service, home.ada, await aWorkspace(home.service, home.ada))).id,
  ];
  const answer = await home.call('GET', '/open/forms');
  expect(answer.status).toBe(200);
  expect(answer.body.map((form: any) => form.id)).toEqual(expect.arrayContaining(ids));
  for (const form of answer.body) expect(form.properties).toBeInstanceOf(Array);
  const others = await home.call('GET', '/open/forms', undefined, (await home.stranger()).token);
  expect(others.body).toEqual([]);
  expectRefused(await home.call('GET', '/open/forms', undefined, await home.tokenWith('forms-write')), 403);
});

describe('POST /open/forms/{id}/duplicate', () => {
  test('copies the form without its submissions, under a new slug', async () => {
    const form = await home.form({ title: 'Original' });
    await home.submit(form, { [TEXT_FIELD_ID]: 'stays' });
    const answer = await home.call('POST', `/open/forms/${form.id}/duplicate`);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: expect.any(String) });
    const copy = answer.body.new_form;
    expect(copy.title).toBe('Copy of Original');
    expect(copy.id).not.toBe(form.id);
    expect(copy.slug).not.toBe(form.slug);
    expect(copy.properties).toEqual(form.properties);
    expect(await home.records(copy)).toEqual([]);
  });

  test('keeps the visibility, unless another one is named', async () => {
    const form = await home.form();
    const copied = async (query: string) => home.call('POST', `/open/forms/${form.id}/duplicate${query}`);
    expect((await copied('')).body.new_form.visibility).toBe('public');
    expect((await copied('?visibility=draft')).body.new_form.visibility).toBe('draft');
    expectInvalid(await copied('?visibility=hidden'), 'visibility');
  });

  test('needs forms-write and the role user', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}/duplicate`;
    expectRefused(await home.call('POST', path, undefined, await home.tokenWith('forms-read')), 403);
    expectRefused(await home.call('POST', path, undefined, (await home.member('readonly')).token), 403);
  });
});
