import { describe, expect, test } from 'vitest';
import { aTextField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';

const home = useHome();

function create(members: Record<string, unknown>) {
  const body = { workspace_id: home.workspaceId, title: 'Feedback', ...members };
  return home.call('POST', '/open/forms', body);
}

async function created(members: Record<string, unknown>) {
  const answer = await create(members);
  expect(answer.text).not.toContain('"errors"');
  expect(answer.status).toBe(201);
  return answer.body;
}

function put(id: number | string, body: unknown) {
  return home.call('PUT', `/open/forms/${id}`, body);
}

function read(ref: number | string) {
  return home.call('GET', `/open/forms/${ref}`);
}

/** Every request field, with a value other than its default. */
const FULL_FORM = {
  title: 'Café survey',
  tags: ['a', 'b b'],
  visibility: 'closed',
  language: 'de',
  description: 'What <we> ask',
  custom_domain: 'forms.example.org',
  theme: 'notion',
  presentation_style: 'focused',
  width: 'full',
  size: 'lg',
  border_radius: 'full',
  dark_mode: 'dark',
  font_family: 'Inter',
  color: '#ff0000',
  layout_rtl: true,
  uppercase_labels: true,
  no_branding: true,
  transparent_background: true,
  logo_picture: 'https://example.org/logo.png',
  cover_picture: 'https://example.org/cover.png',
  cover_settings: { focal_point: { x: 10, y: 90.5 }, brightness: -20 },
  custom_css: '@media (width <= 600px) { p { color: red } }',
  custom_code: '<script>track()</script>',
  settings: { navigation_arrows: true, auto_next: false },
  translations: { fr: { title: 'Sondage' } },
  submit_button_text: 'Send',
  submitted_text: '<p>Thank <strong>you</strong></p>',
  redirect_url: 'https://example.org/thanks?name=1',
  re_fillable: true,
  re_fill_button_text: 'Again',
  confetti_on_submission: true,
  pdf_download_enabled: true,
  pdf_download_button_text: 'PDF',
  show_progress_bar: true,
  auto_save: false,
  auto_focus: false,
  closes_at: '2031-05-06T07:08:09.000Z',
  closed_text: '<p>Over</p>',
  max_submissions_count: 12,
  max_submissions_reached_text: '<p>Full</p>',
  editable_submissions: true,
  editable_submissions_button_text: 'Change',
  enable_partial_submissions: true,
  enable_ip_tracking: true,
  database_fields_update: ['3700d380-0000-4000-8000-000000000001'],
  computed_variables: [{ id: 'cv_total', name: 'Total', formula: '1 + 1', result_type: 'number' }],
  submission_retention_value: 3,
  submission_retention_unit: 'week',
  use_captcha: true,
  captcha_provider: 'hcaptcha',
  can_be_indexed: false,
  seo_meta: { page_title: 'Survey', page_description: null },
  analytics: { provider: 'gtm', tracking_id: 'GTM-1' },
  properties: [
    aTextField({
      help: '<p>Full name</p>',
      placeholder: 'Ada',
      width: '1/2',
      custom_member: { deep: [1, null] },
    }),
    { id: 'color', type: 'multi-select', name: 'Colour', options: ['red', 'blue'] },
    { id: 'break', type: 'nf-page-break', name: 'Page' },
    { id: 'future', type: 'hologram', name: 'Future', power: 1e3 },
  ],
};

describe('defaults', () => {
  test('only the workspace and the title are needed', async () => {
    const form = await created({});
    expect(form).toMatchObject({
      workspace_id: home.workspaceId,
      title: 'Feedback',
      visibility: 'public',
      tags: [],
      properties: [],
      removed_properties: [],
      language: 'en',
      theme: 'default',
      width: 'centered',
      size: 'md',
      border_radius: 'small',
      dark_mode: 'auto',
      color: '#3B82F6',
      captcha_provider: 'recaptcha',
      use_captcha: false,
      auto_save: true,
      can_be_indexed: true,
      closes_at: null,
      max_submissions_count: null,
      submission_retention_value: null,
      submission_retention_unit: 'day',
      password: null,
      has_password: false,
      seo_meta: {},
      computed_variables: [],
      database_fields_update: null,
      version: 1,
      is_closed: false,
      submissions_count: 0,
      views_count: 0,
      cleanings: {},
    });
    expect(form.slug).toMatch(/^feedback-[a-z0-9]{6}$/);
    expect(form.share_url).toBe(`${home.service.url}/forms/${form.slug}`);
    expect(form.workspace).toMatchObject({ id: home.workspaceId, name: 'Research', is_readonly: false });
    expect(Number.isNaN(Date.parse(form.created_at))).toBe(false);
  });

  test('a retention without a unit counts days', async () => {
    const form = await created({ submission_retention_value: 30 });
    expect(form.submission_retention_unit).toBe('day');
    const { body } = await put(form.id, { submission_retention_unit: 'month' });
    expect(body.form).toMatchObject({ submission_retention_value: 30, submission_retention_unit: 'month' });
    const kept = await put(form.id, { submission_retention_value: 2 });
    expect(kept.body.form).toMatchObject({
      submission_retention_value: 2,
      submission_retention_unit: 'month',
    });
    const cleared = await put(form.id, { submission_retention_value: null });
    expect(cleared.body.form).toMatchObject({
      submission_retention_value: null,
      submission_retention_unit: 'day',
    });
    // As returned, it can be sent back.
    expect((await put(form.id, cleared.body.form)).body.form.submission_retention_value).toBeNull();
    expectInvalid(await put(form.id, { submission_retention_unit: 'month' }), 'submission_retention_value');
  });
});

describe('round trip', () => {
  test('every field comes back as it was sent', async () => {
    const form = await created(FULL_FORM);
    expect(form).toMatchObject(FULL_FORM);
    expect(form.is_closed).toBe(true);
    expect((await read(form.id)).body).toEqual(form);
  });

  test('a form that was read can be put back unchanged', async () => {
    const { id } = await created({ ...FULL_FORM, password: 'open sesame' });
    const before = (await read(id)).body;
    const answer = await put(id, before);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ type: 'success', message: 'Form updated.' });
    const after = (await read(id)).body;
    const moving = { updated_at: after.updated_at, version: 2, last_edited_human: after.last_edited_human };
    expect(after).toEqual({ ...before, ...moving });
  });

  test('an update keeps what it does not name', async () => {
    const before = await created(FULL_FORM);
    const { body } = await put(before.id, { color: 'blue' });
    const moving = { updated_at: body.form.updated_at, last_edited_human: body.form.last_edited_human };
    expect(body.form).toEqual({ ...before, color: 'blue', version: 2, ...moving });
  });

  test('unknown members and computed ones are ignored', async () => {
    const form = await created({ nonsense: 1, id: 5, uuid: 'x', views_count: 9, is_closed: true });
    expect(form).toMatchObject({ views_count: 0, is_closed: false });
    expect(form.id).not.toBe(5);
    expect(form).not.toHaveProperty('nonsense');
  });
});

describe('tolerance', () => {
  test.each([
    [1, true],
    [0, false],
    ['1', true],
    ['0', false],
    ['true', true],
    ['false', false],
  ])('%j is a boolean', async (sent, stored) => {
    expect((await created({ re_fillable: sent })).re_fillable).toBe(stored);
  });

  test.each([
    ['true', true],
    ['0', false],
    [1, true],
    [null, false],
  ])('of a block, %j is a boolean, also where it was stored as it came', async (sent, stored) => {
    const block = { id: 'a', type: 'text', name: 'A', required: sent, hidden: sent };
    const form = await created({ properties: [block, { id: 'b', type: 'text', name: 'B' }] });
    expect(form.properties[0]).toMatchObject({ required: stored, hidden: stored });
    expect(form.properties[1]).not.toHaveProperty('required');
    const { pool } = home.service.context;
    const read = async () => (await pool.query('select properties from forms where id = $1', [form.id])).rows;
    expect((await read())[0].properties[0]).toMatchObject({ required: stored, hidden: stored });
    await pool.query('update forms set properties = $2 where id = $1', [form.id, JSON.stringify([block])]);
    const { body } = await home.call('GET', `/open/forms/${form.id}`);
    expect(body.properties[0]).toMatchObject({ required: stored, hidden: stored });
    const open = await home.service.request('GET', `/forms/${form.slug}`);
    expect(open.body.properties[0]).toMatchObject({ required: stored, hidden: stored });
  });

  test('titles are trimmed and cut to 255 characters, never through one', async () => {
    const form = await created({ title: `  ${'😀'.repeat(300)}  ` });
    expect(form.title).toBe('😀'.repeat(255));
    expect(form.slug).toMatch(/^form-[a-z0-9]{6}$/);
  });

  test('blank means nothing where nothing is allowed, and empty lists stand for empty objects', async () => {
    const form = await created({
      description: '  ',
      closes_at: '',
      max_submissions_count: '',
      seo_meta: [],
      translations: null,
      tags: null,
      editable_submissions: null,
    });
    expect(form).toMatchObject({ description: null, closes_at: null, max_submissions_count: null, tags: [] });
    expect(form).toMatchObject({ seo_meta: {}, translations: {}, editable_submissions: false });
  });

  test('an empty text is nothing wherever nothing is allowed', async () => {
    const form = await created({
      title: 'Full',
      tags: ['a'],
      submission_retention_value: 3,
      seo_meta: { a: 1 },
    });
    const none = {
      tags: [],
      computed_variables: [],
      seo_meta: {},
      settings: {},
      translations: {},
      submission_retention_value: null,
      submission_retention_unit: 'day',
      database_fields_update: null,
      editable_submissions: false,
    };
    const empty = Object.fromEntries(Object.keys(none).map((member) => [member, '']));
    const { body } = await put(form.id, { ...empty, analytics: { provider: '', tracking_id: '' } });
    expect(body.form).toMatchObject({ ...none, analytics: { provider: null } });
  });

  test('numbers may be written as text', async () => {
    const form = await created({ max_submissions_count: '7', workspace_id: String(home.workspaceId) });
    expect(form.max_submissions_count).toBe(7);
  });

  test.each([
    ['2030-01-02', '2030-01-02T00:00:00.000Z'],
    ['2030-01-02T03:04', '2030-01-02T03:04:00.000Z'],
    ['2030-01-02T03:04:05+02:00', '2030-01-02T01:04:05.000Z'],
    ['2030-01-02t03:04:05z', '2030-01-02T03:04:05.000Z'],
    ['2030-01-02T03:04:05+0200', '2030-01-02T01:04:05.000Z'],
    ['2030-01-02 03:04:05.678-0330', '2030-01-02T06:34:05.678Z'],
    ['2030-01-02T03:04+02', '2030-01-02T01:04:00.000Z'],
  ])('closes_at %s', async (sent, stored) => {
    expect((await created({ closes_at: sent })).closes_at).toBe(stored);
  });
});

describe('refusals', () => {
  test('everything that is wrong is told at once', async () => {
    const answer = await create({
      title: ' ',
      theme: 'neon',
      re_fillable: 'maybe',
      closes_at: 'tomorrow',
      slug: 'Not A Slug',
      properties: [{ id: 'a', type: 'text', name: '' }],
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual({
      title: ['The title field is required.'],
      theme: ['The selected theme is invalid.'],
      re_fillable: ['The re fillable field must be true or false.'],
      closes_at: ['The closes at is not a valid date.'],
      slug: ['The custom slug can only contain lowercase letters, numbers, and hyphens.'],
      'properties.0.name': ['The form block number 1 is missing a name.'],
      properties: ['One or more properties have validation errors.'],
    });
    expect(answer.body.message).toContain('(and 6 more errors)');
  });

  test('texts of a block that are none, and a choice nobody can make', async () => {
    const { body } = await create({
      properties: [
        { type: 'text', name: '  ', help: 5, placeholder: 5 },
        { type: 'multi_select', name: 'Two', options: ['a', 'b'], min_selection: 3, max_selection: 1 },
      ],
    });
    expect(body.errors).toEqual({
      'properties.0.name': ['The form block number 1 is missing a name.'],
      'properties.0.help': ['The help must be a valid text.'],
      'properties.0.placeholder': ['The placeholder must be a valid text.'],
      'properties.1.min_selection': [
        'At least 3 options have to be chosen, but at most 1 may be.',
        'At least 3 options have to be chosen, but there are only 2.',
      ],
      properties: ['One or more properties have validation errors.'],
    });
  });

  test('a body without title', async () => {
    const answer = await home.call('POST', '/open/forms', { workspace_id: home.workspaceId });
    expect(answer.body).toEqual({
      message: 'The title field is required.',
      errors: { title: ['The title field is required.'] },
    });
  });

  test('a body without workspace, or with one that does not exist', async () => {
    const absent = await home.call('POST', '/open/forms', { title: 'x' });
    expect(absent.body.errors).toEqual({ workspace_id: ['The workspace id field is required.'] });
    const wrong = await create({ workspace_id: 999_999 });
    expect(wrong.body.errors).toEqual({ workspace_id: ['The selected workspace id is invalid.'] });
  });

  test.each([
    ['visibility', 'secret', 'The selected visibility is invalid.'],
    ['visibility', null, 'The selected visibility is invalid.'],
    ['language', 'xx', 'The selected language is invalid.'],
    ['presentation_style', 'x', 'The selected presentation style is invalid.'],
    ['width', 'x', 'The selected width is invalid.'],
    ['size', 'xl', 'The selected size is invalid.'],
    ['border_radius', 'x', 'The selected border radius is invalid.'],
    ['dark_mode', 'x', 'The selected dark mode is invalid.'],
    ['captcha_provider', 'x', 'The selected captcha provider is invalid.'],
    ['submission_retention_unit', 'hour', 'The selected submission retention unit is invalid.'],
    ['tags', 'x', 'The tags must be an array.'],
    ['tags', Array.from({ length: 101 }, () => 'x'), 'The tags may not have more than 100 items.'],
    ['description', 'x'.repeat(2001), 'The description may not be greater than 2000 characters.'],
    ['submit_button_text', 'x'.repeat(51), 'The submit button text may not be greater than 50 characters.'],
    ['editable_submissions_button_text', '', 'The editable submissions button text field is required.'],
    ['submitted_text', null, 'The submitted text must be a valid text.'],
    ['submitted_text', 'x'.repeat(10_001), 'The submitted text may not be greater than 10000 characters.'],
    ['color', 5, 'The color must be a valid text.'],
    ['logo_picture', 'javascript:alert(1)', 'The logo picture format is invalid.'],
    ['cover_picture', 'x', 'The cover picture format is invalid.'],
    ['custom_css', 'p{}</style><script>', 'The custom css format is invalid.'],
    ['custom_domain', 'Not a domain', 'The custom domain format is invalid.'],
    ['max_submissions_count', 0, 'The max submissions count must be at least 1.'],
    ['max_submissions_count', 1.5, 'The max submissions count must be an integer.'],
    ['submission_retention_value', 3651, 'The submission retention value may not be greater than 3650.'],
    ['closes_at', '2030-02-30', 'The closes at is not a valid date.'],
    ['closes_at', '2030-01-02T03:04:05+2500', 'The closes at is not a valid date.'],
    ['closes_at', 'next week', 'The closes at is not a valid date.'],
    ['closes_at', 5, 'The closes at must be a valid text.'],
    ['properties', null, 'The properties must be an array.'],
    ['properties', 'x', 'The properties must be an array.'],
    ['password', 5, 'The password must be a valid text.'],
    ['password', '********', 'The password cannot be a mask.'],
    ['slug', '-a', 'The custom slug can only contain lowercase letters, numbers, and hyphens.'],
    ['slug', '123', 'The custom slug may not be a number or a UUID.'],
    ['slug', '3700d380-0000-4000-8000-000000000001', 'The custom slug may not be a number or a UUID.'],
    ['seo_meta', 'x', 'The seo meta must be an object.'],
    ['seo_meta', [1], 'The seo meta must be an object.'],
    ['database_fields_update', 'x', 'The database fields update must be an array.'],
  ])('%s: %j', async (key, value, message) => {
    const answer = await create({ [key]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.errors[key]).toEqual([message]);
  });

  test.each([
    ['never closed', 'a:not('.repeat(30_000)],
    ['closed', '@media x{'.repeat(2_000) + '}'.repeat(2_000)],
  ])('a style sheet that is nested too deeply, %s', async (_how, custom_css) => {
    const answer = await create({ custom_css });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.custom_css).toEqual(['The custom css is nested too deeply.']);
  });

  test('a retention unit needs a value', async () => {
    const answer = await create({ submission_retention_unit: 'day' });
    expect(answer.body.errors).toEqual({
      submission_retention_value: [
        'The submission retention value field is required when submission retention unit is present.',
      ],
    });
  });

  test('computed variables have their own ids and names', async () => {
    const variable = { id: 'cv_a', name: 'Total', formula: '1' };
    const answer = await create({ computed_variables: [variable, { ...variable, name: 'TOTAL' }] });
    expect(answer.body.errors).toEqual({
      'computed_variables.1.id': ['The id has already been taken.'],
      'computed_variables.1.name': ['The name has already been taken.'],
    });
  });

  test('an analytics provider needs its id', async () => {
    expect((await create({ analytics: { provider: 'gtm' } })).body.errors).toEqual({
      'analytics.tracking_id': ['The Tracking Id field is required.'],
    });
    expect((await create({ analytics: { provider: 'other', tracking_id: 'a b' } })).body.errors).toEqual({
      'analytics.provider': ['The selected Provider is invalid.'],
      'analytics.tracking_id': ['The Tracking Id format is invalid.'],
    });
    await created({ analytics: { provider: null } });
  });

  test.each(['null', '[]', '"x"', '', undefined])('a body that is no object: %s', async (body) => {
    const { id } = await created({});
    for (const [method, path] of [
      ['PUT', `/open/forms/${id}`],
      ['POST', '/open/forms'],
    ] as const) {
      const answer = await home.call(method, path, body);
      expect([400, 422]).toContain(answer.status);
      expect(answer.body.message).toEqual(expect.any(String));
    }
  });

  test.each([[[]], [5], [null]])('%j is no block', async (block) => {
    const { errors } = (await create({ properties: [block, aTextField()] })).body;
    expect(errors['properties.0']).toEqual(['The form block number 1 must be an object.']);
  });

  test('501 properties are too many', async () => {
    const properties = Array.from({ length: 501 }, (_, n) => ({ id: `f${n}`, type: 'text', name: 'x' }));
    expect((await create({ properties })).body.errors.properties).toEqual([
      'The properties may not have more than 500 items.',
    ]);
    const form = await created({ properties: properties.slice(1) });
    expect(form.properties).toHaveLength(500);
  });
});

describe('properties', () => {
  test('get a UUID when they have no id', async () => {
    const { properties } = await created({ properties: [{ type: 'text', name: 'A' }] });
    expect(properties[0].id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('texts with HTML lose their scripts', async () => {
    const form = await created({
      submitted_text: '<p onclick="x()">Hi</p><script>x()</script>',
      closed_text: '<a href="javascript:x()">x</a>',
      properties: [
        { id: 'a', type: 'text', name: '<b>A</b>', help: '<img src=x onerror=y()><b>Help</b>' },
        { id: 'b', type: 'text', name: 'B', help: '<script></script>' },
        { id: 'c', type: 'nf-text', name: 'C', content: '<h1>Title</h1><iframe srcdoc="x"></iframe>' },
      ],
    });
    expect(form.submitted_text).toBe('<p>Hi</p>');
    expect(form.closed_text).not.toContain('javascript');
    expect(form.properties[0]).toMatchObject({ name: '<b>A</b>', help: '<b>Help</b>' });
    expect(form.properties[1].help).toBe('');
    expect(form.properties[2].content).toBe('<h1>Title</h1>');
  });

  test('fields that disappear are remembered until they are back; layout blocks are not', async () => {
    const [a, b] = [aTextField({ id: 'a', width: 'full' }), aTextField({ id: 'b', width: '1/2' })];
    const page = { id: 'p', type: 'nf-page-break', name: 'Page' };
    const { id } = await created({ properties: [a, page, b] });
    const without = await put(id, { properties: [b] });
    expect(without.body.form.properties).toEqual([b]);
    expect(without.body.form.removed_properties).toEqual([a]);
    const untouched = await put(id, { title: 'Other' });
    expect(untouched.body.form.removed_properties).toEqual([a]);
    const empty = await put(id, { properties: [] });
    expect(empty.body.form.removed_properties).toEqual([a, b]);
    const back = await put(id, { properties: [b, a] });
    expect(back.body.form.removed_properties).toEqual([]);
  });

  test('of updates made at once none forgets what another removed', async () => {
    const properties = Array.from({ length: 6 }, (_, n) => aTextField({ id: `f${n}` }));
    const { id } = await created({ properties });
    await Promise.all(properties.map((property) => put(id, { properties: [property] })));
    const { body } = await read(id);
    const known = [...body.properties, ...body.removed_properties].map((property) => property.id).sort();
    expect(known).toEqual(properties.map((property) => property.id));
    expect(body.version).toBe(7);
  });
});
