import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { aTextField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';

const home = useHome();

const read = (ref: string, headers: Record<string, string> = {}) =>
  home.service.request('GET', `/forms/${ref}`, { headers });

test.each([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html'],
  ['TEXT/HTML', 'text/html'],
  ['application/json, text/html', 'text/html'],
  ['application/json;q=0.5, text/html;q=0.8', 'text/html'],
  ['application/json, text/html;q=0.8', 'application/json'],
  ['text/html;q=0, */*', 'application/json'],
  ['application/json, text/plain, */*', 'application/json'],
  ['*/*', 'application/json'],
])('a client that accepts %s gets %s', async (accept, type) => {
  const form = await home.form();
  const answer = await read(form.slug, { accept });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
});

test('tells what a visitor needs and nothing of the owner', async () => {
  const form = await home.form({
    tags: ['secret-tag'],
    redirect_url: 'https://example.org/secret',
    custom_code: 'secret-code',
    database_fields_update: ['secret-field'],
    submission_retention_value: 3,
    properties: [aTextField(), { id: 'code', type: 'nf-code', name: 'Code', content: 'secret-block' }],
  });
  await home.call('PUT', `/open/forms/${form.id}`, {
    properties: [...form.properties.slice(1), aTextField({ id: 'new', name: 'New' })],
  });
  for (const ref of [form.slug, form.uuid]) {
    const { status, body, text } = await read(ref);
    expect(status).toBe(200);
    expect(body).toMatchObject({ uuid: form.uuid, slug: form.slug, title: form.title, is_closed: false });
    expect(body.properties.map((property: { id: string }) => property.id)).toEqual(['code', 'new']);
    expect(text).not.toContain('secret');
    expect(text).not.toContain(home.ada.email);
    for (const key of [
      ...['id', 'workspace_id', 'creator_id', 'tags', 'password', 'redirect_url', 'custom_code', 'cleanings'],
      ...[
        'removed_properties',
        'views_count',
        'submissions_count',
        'last_edited_human',
        'version',
        'revision',
      ],
      ...[
        'database_fields_update',
        'submission_retention_value',
        'submission_retention_unit',
        'password_hash',
      ],
    ])
      expect(body).not.toHaveProperty(key);
    expect(body.workspace).toEqual({ max_file_size: 25, settings: {} });
  }
});

test('does not tell what is written in endings, in any language', async () => {
  const { id } = aTextField();
  const value = { operator: 'is_not_empty', property_meta: { id, type: 'text' }, value: true };
  const conditions = { operatorIdentifier: 'and', children: [{ identifier: id, value }] };
  const won = { id: 'won', name: 'Won', submitted_text: 'Voucher X1', conditions };
  const form = await home.form({
    endings: [won],
    translations: { de: { title: 'Formular', endings: { won: { submitted_text: 'Gutschein X1' } } } },
  });
  const { text, body } = await read(form.slug, { accept: 'application/json' });
  expect(body.translations).toEqual({ de: { title: 'Formular' } });
  expect(text).not.toContain('X1');
  const own = await home.call('GET', `/open/forms/${form.id}`);
  expect(own.text).toContain('Gutschein X1');
});

test('drafts, deleted and unknown forms answer byte for byte the same', async () => {
  const draft = await home.form({ visibility: 'draft' });
  const gone = await home.form();
  await home.call('DELETE', `/open/forms/${gone.id}`);
  const expected = '{"message":"Form not found.","error":"form_not_found"}';
  for (const ref of [draft.slug, draft.uuid, gone.slug, 'unknown', String(draft.id), '%00', '../x']) {
    const answer = await read(encodeURIComponent(decodeURIComponent(ref)));
    expect(answer.status).toBe(404);
    expect(answer.text).toBe(expected);
  }
});

test('a closed form is shown as closed', async () => {
  const closed = await home.form({
    visibility: 'closed',
    closed_text: '<p>Over</p>',
  });
  expect((await read(closed.slug)).body).toMatchObject({ is_closed: true, closed_text: '<p>Over</p>' });
  const past = await home.form({ closes_at: '2020-01-01T00:00:00Z' });
  expect((await read(past.slug)).body.is_closed).toBe(true);
  const future = await home.form({ closes_at: '2999-01-01' });
  expect((await read(future.slug)).body.is_closed).toBe(false);
});

test('a numeric id is no public address', async () => {
  const form = await home.form();
  expect((await read(String(form.id))).status).toBe(404);
});

test('a protected form shows its fields to the password and its hash only', async () => {
  const password = 'open sesame';
  const hash = createHash('sha256').update(password).digest('hex');
  const form = await home.form({ password, submitted_text: 'inner-text' });
  for (const presented of [password, hash])
    expect((await read(form.slug, { 'form-password': presented })).body.properties).toHaveLength(1);
  for (const headers of [{}, { 'form-password': hash.toUpperCase() }] as Record<string, string>[]) {
    const { status, body, text } = await read(form.slug, headers);
    expect(status).toBe(200);
    expect(body).toMatchObject({ is_password_protected: true, properties: [], title: form.title });
    expect(text).not.toContain('inner-text');
  }
});

test('the list of users of a form is gone', async () => {
  const form = await home.form();
  const answer = await home.call('GET', `/forms/${form.slug}/users`);
  expect(answer.status).toBe(404);
});
