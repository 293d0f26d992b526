import { afterAll, describe, expect, test } from 'vitest';
import { aVisitor } from '../public-pages/visitor.ts';
import { aField, aTextField, TEXT_FIELD_ID } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { startService } from '../setup/service.ts';

const home = useHome({ env: { ROLES: 'http', CUSTOM_CODE: 'on' } });
const EMAIL = aField('b1', 'email', 'Address', { required: true });
const BREAK = aField('b2', 'nf-page-break', 'Break');

const preview = (body: object, token?: string) =>
  home.call('POST', '/open/forms/preview', { workspace_id: home.workspaceId, ...body }, token);
const previewOf = (form: { id: number }, body: object = {}, token?: string) =>
  home.call('POST', `/open/forms/${form.id}/preview`, body, token);
const pathOf = (url: string) => new URL(url).pathname;
const open = async (answer: { status: number; text: string; body: any }) => {
  expect(answer.status, answer.text).toBe(201);
  return aVisitor(home.service).open(pathOf(answer.body.url));
};

/** The rows of all tables that a preview must not change. */
async function stored(): Promise<unknown> {
  const { pool } = home.service.context;
  const tables = [
    'submissions',
    'form_drafts',
    'form_days',
    'form_views',
    'uploads',
    'idempotency_keys',
    'deliveries',
    'spent_challenges',
  ];
  const counts = tables.map((table) => `(select count(*) from ${table}) as ${table}`);
  return (await pool.query(`select ${counts.join(', ')}`)).rows[0];
}

describe('the page of a preview', () => {
  test('is the real page of a form that does not exist, marked, for frames of our own alone', async () => {
    const answer = await preview({ title: 'Soon', properties: [aTextField()], color: '#123456' });
    expect(answer.body).toEqual({
      url: expect.stringMatching(/\/forms\/preview\/[\w-]{43}$/),
      expires_at: expect.any(String),
      problems: {},
    });
    const minutes = (Date.parse(answer.body.expires_at) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(58);
    expect(minutes).toBeLessThan(62);
    const page = await open(answer);
    expect(page.status).toBe(200);
    expect(page.title).toBe('Soon');
    expect(page.text).toContain('Nothing that is entered here is stored');
    expect(page.html).toContain('#123456');
    expect(page.html).toContain('noindex');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toContain('frame-ancestors *');
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('checks what is sent, thanks for it, and stores nothing', async () => {
    const form = await home.form({
      properties: [aTextField(), BREAK, EMAIL],
      editable_submissions: true,
      enable_partial_submissions: true,
    });
    await home.call('POST', `/open/forms/${form.id}/integrations`, {
      integration_id: 'webhook',
      status: 'active',
      data: { webhook_url: 'http://127.0.0.1:9/hook' },
    });
    const before = await stored();
    const mention = `<span mention mention-field-id="${TEXT_FIELD_ID}" mention-fallback="you">x</span>`;
    const visitor = aVisitor(home.service);
    const first = await open(await previewOf(form, { submitted_text: `<p>Thanks, ${mention}</p>` }));
    const second = await visitor.send(first, { [TEXT_FIELD_ID]: 'Ada <i>' });
    const wrong = await visitor.send(second, { [EMAIL.id]: 'nobody' });
    expect(wrong.title).toContain('Error');
    const back = await visitor.send(wrong, {}, { button: 'quiet' });
    expect(back.html).toContain('value="Ada &lt;i&gt;"');
    const thanks = await visitor.send(await visitor.send(back), { [EMAIL.id]: 'ada@example.com' });
    expect(thanks.status).toBe(200);
    expect(thanks.text).toContain('Thanks, Ada <i>');
    expect(thanks.text).toContain('Preview');
    expect(thanks.headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    // The links of that page lead to the preview again.
    expect(thanks.html).toContain('/forms/preview/');
    expect(await stored()).toEqual(before);
  });

  test('answers the script of the page as the real one does', async () => {
    const path = pathOf((await preview({ properties: [EMAIL] })).body.url);
    const send = (value: string) =>
      fetch(`${home.service.url + path}?visit=${'a'.repeat(22)}`, {
        method: 'POST',
        headers: { accept: 'application/json' },
        body: new URLSearchParams({ [EMAIL.id]: value }),
      });
    const before = await stored();
    const refused = await send('');
    expect(refused.status).toBe(422);
    expect(Object.keys(((await refused.json()) as any).errors)).toEqual([EMAIL.id]);
    const taken: any = await (await send('ada@example.com')).json();
    expect(taken.next).toMatch(/^\/forms\/preview\/[\w-]{43}\/thank-you\?/);
    const beacon = await fetch(`${home.service.url + path}/progress`, { method: 'POST', body: '{}' });
    expect(beacon.status).toBe(204);
    expect(await stored()).toEqual(before);
  });

  test('takes files and lets them fall, with the script and without', async () => {
    const files = aField('b3', 'files', 'Papers', { required: true });
    const answer = await preview({ properties: [files] });
    const before = await stored();
    const body = new FormData();
    body.append('file', new File(['text'], 'cv.txt'));
    const upload = await fetch(`${home.service.url + pathOf(answer.body.url)}/files?field=${files.id}`, {
      method: 'POST',
      body,
    });
    expect(upload.status).toBe(201);
    expect(((await upload.json()) as any).reference).toMatch(/^cv_[0-9a-f-]{36}\.txt$/);
    const page = await open(answer);
    const thanks = await aVisitor(home.service).send(page, { [files.id]: new File(['text'], 'cv.txt') });
    expect(thanks.path).toContain('/thank-you');
    expect(await stored()).toEqual(before);
  });

  test('a file without a name is dropped like any other, and half a body is told to be one', async () => {
    const answer = await preview({ properties: [aField('b3', 'files', 'Papers')] });
    const upload = (body: string) =>
      fetch(`${home.service.url + pathOf(answer.body.url)}/files`, {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=B', accept: 'application/json' },
        body,
      });
    const head = '--B\r\nContent-Disposition: form-data; name="file"\r\n';
    const nameless = await upload(`${head}Content-Type: application/octet-stream\r\n\r\nabc\r\n--B--\r\n`);
    expect([nameless.status, await nameless.json()]).toMatchObject([201, { file_name: '' }]);
    expect((await upload('--B--nothing')).status).toBeLessThan(500);
    expect((await upload(`${head}nonsense`)).status).toBe(400);
    const texts = '--B\r\nContent-Disposition: form-data; name="text"\r\n\r\n\r\n'.repeat(11);
    expect((await upload(`${texts}${head}\r\nabc\r\n--B--\r\n`)).status).toBe(400);
  });

  test('shows where the form would lead instead of leading there', async () => {
    const answer = await preview({ redirect_url: 'https://example.org/next' });
    const thanks = await aVisitor(home.service).send(await open(answer));
    expect(thanks.path).toContain('/thank-you');
    expect(thanks.text).toContain('https://example.org/next');
  });

  test('asks the captcha it will ask, and for no password', async () => {
    const answer = await preview({ use_captcha: true, password: 'open sesame', visibility: 'closed' });
    const page = await open(answer);
    expect(page.html).toContain('data-captcha');
    const captcha = await home.call('GET', `${pathOf(answer.body.url)}/captcha`, undefined, null);
    expect(captcha.body.provider).toBe('proof_of_work');
    expect((await aVisitor(home.service).send(page)).path).toContain('/thank-you');
  });

  test('does not touch the published form, nor what is kept of it in memory', async () => {
    const form = await home.form();
    await home.submit(form, { [TEXT_FIELD_ID]: 'x' });
    await open(await previewOf(form, { title: 'Soon', properties: [EMAIL] }));
    const page = await aVisitor(home.service).open(`/forms/${form.slug}`);
    expect(page.title).toBe('Feedback');
    expect(page.headers.get('content-security-policy')).toContain('frame-ancestors *');
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'y' })).status).toBe(200);
  });

  test('a form of the slug "preview" keeps all its addresses', async () => {
    const form = await home.form({ slug: 'preview' });
    expect((await home.submit(form, { [TEXT_FIELD_ID]: 'x' })).status).toBe(200);
    const visitor = aVisitor(home.service);
    const thanks = await visitor.send(await visitor.open('/forms/preview'), { [TEXT_FIELD_ID]: 'y' });
    expect(thanks.path).toMatch(/^\/forms\/preview\/thank-you\?receipt=/);
    expect(thanks.status).toBe(200);
  });
});

describe('what is previewed', () => {
  test('the draft, where the body names nothing', async () => {
    const form = await home.form();
    expect((await open(await previewOf(form))).title).toBe('Feedback');
    await home.call('PUT', `/open/forms/${form.id}/draft`, { title: 'On its way' });
    expect((await open(await previewOf(form))).title).toBe('On its way');
    expect((await open(await previewOf(form, { title: 'Named' }))).title).toBe('Named');
  });

  test('what is wrong is left out and told', async () => {
    const gone = 'f0000000-0000-4000-8000-000000000000';
    const condition = (id: string) => ({
      conditions: {
        operatorIdentifier: 'and',
        children: [
          { identifier: id, value: { operator: 'nonsense', property_meta: { id, type: 'text' }, value: 1 } },
        ],
      },
      actions: ['hide-block'],
    });
    const answer = await preview({
      title: 5,
      theme: 'loud',
      custom_css: '</style><script>alert(1)</script>',
      properties: [aTextField({ logic: condition(gone) }), { type: 'text' }, EMAIL],
    });
    expect(Object.keys(answer.body.problems).join()).toMatch(/title.*properties/);
    const page = await open(answer);
    expect(page.html).toContain(TEXT_FIELD_ID);
    expect(page.html).toContain(EMAIL.id);
    expect(page.html).not.toContain('alert(1)');
  });

  test('nothing without a workspace one may write in', async () => {
    expectInvalid(await home.call('POST', '/open/forms/preview', { title: 'x' }), 'workspace_id');
    expectRefused(await preview({}, (await home.member('readonly')).token), 403);
    expectRefused(await preview({}, (await home.stranger()).token), 403);
  });

  test('code is shown of admins only', async () => {
    const code = { custom_code: '<b>own</b>' };
    const { token } = await home.member('user');
    const codeOf = (answer: any) =>
      home.call('GET', `${pathOf(answer.body.url)}/code`, undefined, null).then(({ status }) => status);
    expect(await codeOf(await preview(code))).toBe(200);
    const foreign = await preview(code, token);
    expect(await codeOf(foreign)).toBe(404);
    expect((await open(foreign)).html).not.toContain('/code"');
    const form = await home.form(code);
    expect(await codeOf(await previewOf(form, { title: 'Soon' }, token))).toBe(200);
  });
});

describe('a link', () => {
  let second: Awaited<ReturnType<typeof startService>> | undefined;
  afterAll(() => second?.stop());

  test('works in every process, until its hour is over', async () => {
    const { database, dataDir, context } = home.service;
    const path = pathOf((await preview({ title: 'Soon' })).body.url);
    second = await startService({ env: { ROLES: 'http' }, database, dataDir });
    expect((await second.request('GET', path)).status).toBe(200);
    await context.pool.query(
      `update form_previews set expires_at = now() where definition->>'title' = 'Soon'`,
    );
    expect((await second.request('GET', path)).status).toBe(404);
    const page = await aVisitor(home.service).open(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    const unknown = await home.call('GET', `/forms/preview/${'a'.repeat(43)}`, undefined, null);
    expectRefused(unknown, 404);
  });

  test('rests while its form is in the trash', async () => {
    const form = await home.form();
    const path = pathOf((await previewOf(form)).body.url);
    const status = async () => (await home.service.request('GET', path)).status;
    await home.call('POST', `/open/forms/${form.id}/trash`);
    expect(await status()).toBe(404);
    // Members who look at it there see it.
    expect((await open(await previewOf(form))).status).toBe(200);
    await home.call('DELETE', `/open/forms/${form.id}/trash`);
    expect(await status()).toBe(200);
  });

  test('of one person twenty work at a time', async () => {
    const { token } = await home.newMember('user');
    const paths: string[] = [];
    for (let count = 0; count < 21; count++) paths.push(pathOf((await preview({}, token)).body.url));
    const answers = await Promise.all(paths.map((path) => home.call('GET', path, undefined, null)));
    expect(answers.map(({ status }) => status)).toEqual([404, ...Array(20).fill(200)]);
  });
});
