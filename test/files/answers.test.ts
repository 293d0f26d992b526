import { createHmac, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { unavailable } from '../../server/http/errors.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, useHome } from '../setup/home.ts';
import { aWebhookReceiver } from '../setup/webhook-receiver.ts';
import { PDF, PNG, upload } from './upload.ts';

const home = useHome();
const CV = aField('01', 'files', 'CV', { multiple: true });
const SIGN = aField('02', 'signature', 'Signature');
const CODE = aField('03', 'barcode', 'Code');
const DRAWING = `data:image/png;base64,${PNG.toString('base64')}`;

const formWith = (properties: unknown[], overrides = {}) => home.form({ properties, ...overrides });
async function uploaded(form: { slug: string }, name = 'a.pdf', field = CV.id): Promise<string> {
  const answer = await upload(home.service, form, field, name.endsWith('png') ? PNG : PDF, name);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.reference;
}
const download = (url: string) => fetch(url);

describe('an answer with files', () => {
  test('may hold several, each once, only where the field says so', async () => {
    const form = await formWith([CV, { ...CV, id: 'one', name: 'One', multiple: false }]);
    const [a, b] = [await uploaded(form, 'a.pdf'), await uploaded(form, 'b.pdf')];
    const errors = expectInvalid(await home.submit(form, { one: [a, b] }), 'one');
    expect(errors.one).toEqual(['The One may not have more than 1 items.']);
    expect((await home.submit(form, { [CV.id]: [b, a, b], one: [a] })).status).toBe(200);
    expect((await home.records(form))[0].data).toMatchObject({ [CV.id]: [b, a], one: [a] });
  });

  test('names files of this form that exist, or is told which are wrong', async () => {
    const form = await formWith([CV]);
    const other = await formWith([CV]);
    const [own, foreign] = [await uploaded(form), await uploaded(other)];
    const unknown = `x_${randomUUID()}.pdf`;
    const wrong = [own, foreign, unknown, 'https://example.com/a.pdf', '../a', 5, null, {}];
    const errors = expectInvalid(await home.submit(form, { [CV.id]: wrong }), CV.id);
    expect(errors).toEqual({ [CV.id]: ['Invalid file.'] });
    expectInvalid(await home.submit(form, { [CV.id]: { a: own } }), CV.id);
    expectInvalid(await home.submit(form, { [CV.id]: true }), CV.id);
    // The refused submission did not use up the file.
    expect((await home.submit(form, { [CV.id]: own })).status).toBe(200);
  });

  test('is judged by the field it is for, not by the one it was uploaded for', async () => {
    const images = { ...CV, id: 'images', name: 'Images', allowed_file_types: 'png,jpg' };
    const small = { ...CV, id: 'small', name: 'Small', max_file_size: 1 };
    const form = await formWith([CV, images, small]);
    const large = await upload(home.service, form, CV.id, Buffer.alloc(1024 * 1024 + 1, 65), 'a.txt');
    const sent = { images: [await uploaded(form)], small: [large.body.reference] };
    const errors = expectInvalid(await home.submit(form, sent), 'images', 'small');
    expect(errors).toEqual({
      images: ['Incorrect file type. Allowed only: png,jpg'],
      small: ['File is too large.'],
    });
  });

  test('a file belongs to one submission, however many ask at once', async () => {
    const form = await formWith([CV]);
    const file = await uploaded(form);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => home.submit(form, { [CV.id]: [file] })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    // A submission gets 503 while it is not yet known whether another one takes the file.
    for (const { status } of answers) expect([200, 422, 503]).toContain(status);
    expect(await home.records(form)).toHaveLength(1);
    const late = await home.submit(form, { [CV.id]: [file] });
    expect(expectInvalid(late, CV.id)).toEqual({ [CV.id]: ['Invalid file.'] });
  });

  test('a submission that is refused after all gives its files back', async () => {
    const form = await formWith([CV], { max_submissions_count: 1 });
    const file = await uploaded(form);
    expect((await home.submit(form, {})).status).toBe(200);
    expect((await home.submit(form, { [CV.id]: [file] })).status).toBe(403);
    await home.call('PUT', `/open/forms/${form.id}`, { max_submissions_count: 2 });
    expect((await home.submit(form, { [CV.id]: [file] })).status).toBe(200);
  });

  test('the same Idempotency-Key gets the same answer', async () => {
    const form = await formWith([CV]);
    const body = { [CV.id]: [await uploaded(form)] };
    const headers = { 'idempotency-key': 'k1' };
    const first = await home.submit(form, body, headers);
    const second = await home.submit(form, body, headers);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('the same Idempotency-Key may come several times at once', async () => {
    const form = await formWith([CV]);
    const body = { [CV.id]: [await uploaded(form)] };
    const submit = () => home.submit(form, body, { 'idempotency-key': 'k1' });
    const answers = await Promise.all(Array.from({ length: 8 }, submit));
    for (const { status, headers } of answers)
      expect([status, headers.get('retry-after')]).toEqual(status === 200 ? [200, null] : [503, '2']);
    expect((await submit()).status).toBe(200);
    expect(await home.records(form)).toHaveLength(1);
  });

  test('a submission that the database refuses gives its files back', async () => {
    const form = await formWith([CV]);
    const file = await uploaded(form);
    const { context } = home.service;
    const add = context.intake.add;
    context.intake.add = () => Promise.reject(unavailable());
    onTestFinished(() => {
      context.intake.add = add;
    });
    expect((await home.submit(form, { [CV.id]: [file] })).status).toBe(503);
    context.intake.add = add;
    expect((await home.submit(form, { [CV.id]: [file] })).status).toBe(200);
  });

  test('a partial submission keeps its files until it is complete, and drops what it no longer names', async () => {
    const form = await formWith([CV], { enable_partial_submissions: true });
    const [a, b] = [await uploaded(form, 'a.pdf'), await uploaded(form, 'b.pdf')];
    const { body } = await home.submit(form, { is_partial: true, [CV.id]: [a, b] });
    const submission_hash = body.submission_hash;
    expectInvalid(await home.submit(form, { [CV.id]: [a] }), CV.id);
    expect((await home.submit(form, { is_partial: true, submission_hash, [CV.id]: [b] })).status).toBe(200);
    expectInvalid(await home.submit(form, { submission_hash, [CV.id]: [a] }), CV.id);
    expect((await home.submit(form, { submission_hash, [CV.id]: [b] })).status).toBe(200);
    const [record] = await home.records(form);
    expect(record).toMatchObject({ status: 'completed', data: { [CV.id]: [b] } });
    expect((await download(record.files[CV.id][0].file_url)).status).toBe(200);
  });

  test('editing keeps, adds and drops files, by respondent and by owner', async () => {
    const form = await formWith([CV], { editable_submissions: true });
    const [a, b, c] = [
      await uploaded(form, 'a.pdf'),
      await uploaded(form, 'b.pdf'),
      await uploaded(form, 'c.pdf'),
    ];
    const { body } = await home.submit(form, { [CV.id]: [a, b] });
    const [before] = await home.records(form);
    const [urlOfA] = before.files[CV.id].map((file: { file_url: string }) => file.file_url);
    expect((await home.submit(form, { submission_id: body.submission_id, [CV.id]: [b, c] })).status).toBe(
      200,
    );
    expect((await download(urlOfA)).status).toBe(404);
    const path = `/open/forms/${form.id}/submissions/${before.id}`;
    expectInvalid(await home.call('PUT', path, { [CV.id]: [a] }), CV.id);
    const after = await home.call('PUT', path, { [CV.id]: [c] });
    expect([after.status, after.body.data.data[CV.id]]).toEqual([200, [c]]);
    expect(after.body.data.files[CV.id]).toHaveLength(1);
  });
});

describe('a signature', () => {
  test('is drawn, uploaded or typed', async () => {
    const form = await formWith([SIGN]);
    expect((await home.submit(form, { [SIGN.id]: DRAWING })).status).toBe(200);
    const image = await uploaded(form, 'me.png', SIGN.id);
    expect((await home.submit(form, { [SIGN.id]: image })).status).toBe(200);
    expect((await home.submit(form, { [SIGN.id]: 'Ada Lovelace' })).status).toBe(200);
    const [typed, sent, drawn] = await home.records(form);
    expect(typed.data[SIGN.id]).toBe('Ada Lovelace');
    expect(typed).not.toHaveProperty('files');
    expect(sent.data[SIGN.id]).toBe(image);
    expect(drawn.data[SIGN.id]).toMatch(/^sign_[0-9a-f-]{36}\.png$/);
    const picture = await download(drawn.files[SIGN.id][0].file_url);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);
  });

  test('that was drawn leaves a file only where the answer is stored', async () => {
    const form = await formWith([SIGN], { max_submissions_count: 1 });
    const folder = async () => {
      const store = join(home.service.dataDir, 'files');
      const entries = await readdir(store, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
    };
    const uploads = async () => {
      const query = 'select from uploads where form_id = $1';
      return (await home.service.context.pool.query(query, [form.id])).rowCount;
    };
    const sign = (key: string, rest = {}) =>
      home.submit(form, { [SIGN.id]: DRAWING, ...rest }, { 'idempotency-key': key });
    const first = await sign('first');
    expect(first.status, first.text).toBe(200);
    const files = await folder();
    // Sent again as browsers do; with the key of another answer; when there is no room.
    expect((await sign('first')).body).toEqual(first.body);
    expect((await sign('first', { completion_time: 7 })).status).toBe(422);
    expect((await sign('third')).status).toBe(403);
    // A background job removes the extra files at once.
    await expect.poll(uploads).toBe(1);
    // Files of earlier tests may still be removed at this time.
    expect((await folder()).filter((name) => !files.includes(name))).toEqual([]);
    expect((await home.records(form))[0].files[SIGN.id]).toHaveLength(1);
  });

  const base64 = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
  const page = Buffer.from('<script>alert(1)</script>');
  test.each([
    ['no PNG', base64(PDF)],
    ['a polyglot', base64(Buffer.concat([PNG, page]))],
    ['a broken checksum', base64(Buffer.concat([PNG.subarray(0, -5), Buffer.alloc(5)]))],
    ['half a PNG', base64(PNG.subarray(0, 40))],
    ['nothing', 'data:image/png;base64,'],
    ['no base64', 'data:image/png;base64,!!!!'],
    ['another type', `data:text/html;base64,${page.toString('base64')}`],
    ['an SVG', `data:image/svg+xml;base64,${page.toString('base64')}`],
    ['lines', 'Ada\nLovelace'],
    ['a list', [DRAWING]],
    ['an object', { drawing: DRAWING }],
  ])('is not %s', async (_what, value) => {
    const form = await formWith([SIGN]);
    const errors = expectInvalid(await home.submit(form, { [SIGN.id]: value }), SIGN.id);
    const isDrawing = String(value).startsWith('data:');
    const problem = isDrawing && typeof value === 'string' ? 'format is invalid' : 'must be a valid text';
    expect(errors[SIGN.id]).toEqual([`The Signature ${problem}.`]);
  });

  test('is typed with 255 characters at most, and names no file it may not have', async () => {
    const form = await formWith([SIGN, CV]);
    expectInvalid(await home.submit(form, { [SIGN.id]: 'x'.repeat(256) }), SIGN.id);
    const errors = expectInvalid(await home.submit(form, { [SIGN.id]: `sign_${randomUUID()}.png` }), SIGN.id);
    expect(errors[SIGN.id]).toEqual(['Invalid file.']);
    const document = await uploaded(form);
    const typed = expectInvalid(await home.submit(form, { [SIGN.id]: document }), SIGN.id);
    expect(typed[SIGN.id]).toEqual(['Incorrect file type. Allowed only: png,jpg,jpeg,webp,gif']);
  });

  test('a text that reads like a drawing stays a text', async () => {
    const text = aField('04', 'text', 'Text');
    const form = await formWith([SIGN, text]);
    expect((await home.submit(form, { [SIGN.id]: DRAWING, [text.id]: DRAWING })).status).toBe(200);
    expect((await home.records(form))[0].data[text.id]).toBe(DRAWING);
  });

  test('of a partial submission is replaced by the next one', async () => {
    const form = await formWith([SIGN], { enable_partial_submissions: true });
    const { body } = await home.submit(form, { is_partial: true, [SIGN.id]: DRAWING });
    const [before] = await home.records(form);
    const { submission_hash } = body;
    await home.submit(form, { is_partial: true, submission_hash, [SIGN.id]: DRAWING });
    const [after] = await home.records(form);
    expect(after.data[SIGN.id]).not.toBe(before.data[SIGN.id]);
    expect((await download(before.files[SIGN.id][0].file_url)).status).toBe(404);
    expect((await home.submit(form, { submission_hash, [SIGN.id]: after.data[SIGN.id] })).status).toBe(200);
  });
});

test('a barcode is text', async () => {
  const form = await formWith([CODE]);
  expect((await home.submit(form, { [CODE.id]: '4006381333931' })).status).toBe(200);
  expect(expectInvalid(await home.submit(form, { [CODE.id]: 5 }), CODE.id)[CODE.id]).toEqual([
    'The Code must be a valid text.',
  ]);
});

describe('options are checked when a form is saved', () => {
  test.each([
    [{ max_file_size: 0.5 }, 'max_file_size', 'The max_file_size field must be at least 1.'],
    [{ max_file_size: 'big' }, 'max_file_size', 'The max_file_size field must be a number.'],
    [
      { allowed_file_types: ['pdf'] },
      'allowed_file_types',
      'The allowed_file_types field format is invalid.',
    ],
    [
      { allowed_file_types: 'image/*' },
      'allowed_file_types',
      'The allowed_file_types field format is invalid.',
    ],
    [{ multiple: 'many' }, 'multiple', 'The multiple field must be a boolean.'],
    [{ camera_upload: 7 }, 'camera_upload', 'The camera_upload field must be a boolean.'],
    [{ type: 'signature', max_file_size: 0 }, 'max_file_size', 'The max_file_size field must be at least 1.'],
    [{ type: 'barcode', decoders: 'qr_reader' }, 'decoders', 'The decoders field must be an array of texts.'],
    [
      { type: 'barcode', decoders: ['qr_reader', 'x'] },
      'decoders',
      'The decoders must be one of: qr_reader, ean_reader, ean_8_reader, upc_reader, upc_e_reader, code_128_reader, code_39_reader',
    ],
  ])('%j', async (options, path, message) => {
    const body = { workspace_id: home.workspaceId, title: 'Wrong', properties: [{ ...CV, ...options }] };
    const answer = await home.call('POST', '/open/forms', body);
    expect(answer.status).toBe(422);
    expect(answer.body.errors[`properties.0.${path}`]).toContain(message);
  });

  test('and taken when they are right', async () => {
    await formWith([
      { ...CV, max_file_size: '5', allowed_file_types: '.pdf, PNG,', camera_upload: true },
      { ...CODE, decoders: ['qr_reader', 'ean_reader'] },
    ]);
  });
});

describe('a download', () => {
  async function linkOf(name = 'a.pdf', content: Uint8Array | string = PDF): Promise<URL> {
    const form = await formWith([CV]);
    const { body } = await upload(home.service, form, CV.id, content, name);
    await home.submit(form, { [CV.id]: [body.uuid] });
    const [record] = await home.records(form);
    return new URL(record.files[CV.id][0].file_url);
  }

  test('is an attachment that runs nothing', async () => {
    const answer = await fetch(await linkOf('Müller "x".pdf'));
    expect(Buffer.from(await answer.arrayBuffer()).equals(PDF)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    });
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="Muller-x_[0-9a-f-]{36}\.pdf"; filename\*=UTF-8''M%C3%BCller-x_[0-9a-f-]{36}\.pdf$/,
    );
    const text = await fetch(await linkOf('a.txt', 'hello <b>you</b>'));
    expect(text.headers.get('content-type')).toBe('application/octet-stream');
  });

  test('needs a link that is whole and not expired', async () => {
    const url = await linkOf();
    const other = await linkOf();
    const changed = (change: (url: URL) => void) => {
      const copy = new URL(url);
      change(copy);
      return copy.href;
    };
    const set = (key: string, value: string) => changed((copy) => copy.searchParams.set(key, value));
    const signature = url.searchParams.get('signature') ?? '';
    const refused = [
      set(
        'signature',
        signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
      set('signature', signature.toUpperCase()),
      set('signature', ''),
      set('signature', other.searchParams.get('signature') ?? ''),
      set('expires', String(Number(url.searchParams.get('expires')) + 1)),
      set('expires', '9999999999'),
      set('expires', 'x'),
      changed((copy) => copy.searchParams.delete('signature')),
      changed((copy) => {
        copy.pathname = other.pathname;
      }),
      changed((copy) => {
        copy.pathname = copy.pathname.replace(/\/forms\/\d+/, '/forms/999999');
      }),
    ];
    for (const link of refused) expect([link, (await fetch(link)).status]).toEqual([link, 403]);
    for (const name of ['secret.key', '..%2F..%2Fsecret.key', '%00', 'a_b.pdf']) {
      const link = changed((copy) => {
        copy.pathname = copy.pathname.replace(/[^/]+$/, name);
      });
      expect([name, (await fetch(link)).status]).toEqual([name, 404]);
    }
    expect((await fetch(url)).status).toBe(200);
  });

  test('ends with the time in the link', async () => {
    const { createFileLinks, linkSource } = await import('../../server/files/file-links.ts');
    const url = await linkOf();
    const formId = Number(/forms\/(\d+)/.exec(url.pathname)?.[1]);
    const name = url.pathname.split('/').at(-1) ?? '';
    const links = (seconds: number) => createFileLinks(linkSource(home.service.context), formId, seconds);
    expect((await fetch(links(60).urlOf(name))).status).toBe(200);
    expect((await fetch(links(-1).urlOf(name))).status).toBe(403);
  });
});

describe('what leaves the service', () => {
  test('a webhook carries links, an unchanged typed signature, and is the same for partners', async () => {
    const receiver = await aWebhookReceiver();
    const form = await formWith([CV, SIGN, { ...SIGN, id: 'typed', name: 'Typed' }]);
    const webhook = { integration_id: 'webhook', status: 'active', data: { webhook_url: receiver.url } };
    await home.call('POST', `/open/forms/${form.id}/integrations`, webhook);
    const file = await uploaded(form);
    await home.submit(form, { [CV.id]: [file], [SIGN.id]: DRAWING, typed: 'Ada' });
    const [request] = await receiver.received(1);
    const { data } = JSON.parse(String(request?.body));
    expect(data[CV.id].value).toEqual([{ file_url: expect.any(String), file_name: file }]);
    expect(data[SIGN.id].value).toEqual([
      { file_url: expect.any(String), file_name: expect.stringMatching(/^sign_/) },
    ]);
    expect(data.typed.value).toBe('Ada');
    for (const id of [CV.id, SIGN.id]) {
      const url = new URL(data[id].value[0].file_url);
      expect((await fetch(url)).status).toBe(200);
      const hours = (Number(url.searchParams.get('expires')) - Date.now() / 1000) / 3600;
      expect(hours).toBeGreaterThan(23.9);
      expect(hours).toBeLessThanOrEqual(24);
    }
    const recent = await home.call('GET', `/external/partner/submissions/recent?form_id=${form.id}`);
    expect(recent.body[0].data[CV.id].value[0].file_name).toBe(file);
    expect((await fetch(recent.body[0].data[CV.id].value[0].file_url)).status).toBe(200);
  });

  test('an export has links that work, written by the database', async () => {
    const form = await formWith([CV, SIGN]);
    const files = [await uploaded(form, 'a.pdf'), await uploaded(form, 'b b.pdf')];
    await home.submit(form, { [CV.id]: files, [SIGN.id]: '=Ada' });
    await home.submit(form, { [SIGN.id]: DRAWING });
    const columns = { [CV.id]: true, [SIGN.id]: true };
    const { text } = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
    const [, drawn = '', typed = ''] = text.split('\n');
    expect(drawn).toMatch(/^,http.*\.png\?expires=\d+&issued=\d+&signature=[0-9a-f]{64}$/);
    const [, links = '', name] = /^"(.*)",(.*)$/.exec(typed) ?? [];
    expect(name).toBe("'=Ada");
    const urls = links.split(', ');
    expect(urls).toHaveLength(2);
    for (const url of [...urls, drawn.slice(1)]) {
      const answer = await fetch(url);
      expect([url, answer.status]).toEqual([url, 200]);
    }
    expect((await fetch(urls[1] ?? '')).headers.get('content-disposition')).toContain(files[1]);
  });

  test('the workspace says how long links are good', async () => {
    const { pool } = home.service.context;
    const settings = JSON.stringify({ external_file_links: { expires_in_hours: 168 } });
    await pool.query('update workspaces set settings = $1 where id = $2', [settings, home.workspaceId]);
    const form = await formWith([CV]);
    await home.submit(form, { [CV.id]: [await uploaded(form)] });
    const columns = { [CV.id]: true };
    const { text } = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
    await pool.query(`update workspaces set settings = '{}' where id = $1`, [home.workspaceId]);
    const expires = Number(/expires=(\d+)/.exec(text)?.[1]);
    expect((expires - Date.now() / 1000) / 3600).toBeGreaterThan(167.9);
  });

  test('a link that left ends sooner when the workspace shortens the time', async () => {
    const form = await formWith([CV]);
    await home.submit(form, { [CV.id]: [await uploaded(form)] });
    const allow = (hours: number | null) =>
      home.call('PUT', `/open/workspaces/${home.workspaceId}/settings`, {
        external_file_links: { expires_in_hours: hours },
      });
    await allow(8_784);
    const link = await exportedLink(form);
    expect((await fetch(link)).status).toBe(200);
    const now = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 3_600_000 });
    await allow(3);
    expect((await fetch(link)).status).toBe(200);
    await allow(1);
    expect((await fetch(link)).status).toBe(403);
    vi.useRealTimers();
    await allow(null);
    const later = link.replace(/issued=\d+/, `issued=${Math.floor(now / 1000) + 7_200}`);
    for (const forged of [later, link.replace(/&issued=\d+/, '')])
      expect((await fetch(forged)).status).toBe(403);
  });

  test('a link of an earlier version, which does not say when it was made, works until it expires', async () => {
    const form = await formWith([CV]);
    await home.submit(form, { [CV.id]: [await uploaded(form)] });
    const link = new URL(await exportedLink(form));
    const [, fileId = ''] = /([0-9a-f-]{36})(?:\.\w+)?$/.exec(link.pathname) ?? [];
    const { secrets } = home.service.context;
    const key = Buffer.from(secrets.sign(`${form.id}:${link.searchParams.get('expires')}`, 'files'), 'hex');
    link.searchParams.delete('issued');
    link.searchParams.set('signature', createHmac('sha256', key).update(fileId).digest('hex'));
    expect((await fetch(link)).status).toBe(200);
    await home.call('POST', `/open/forms/${form.id}/trash`);
    expect((await fetch(link)).status).toBe(404);
  });

  test('links that left rest while the form or the submission is in the trash; members can still open files', async () => {
    const form = await formWith([CV]);
    await home.submit(form, { [CV.id]: [await uploaded(form)] });
    // A moment ago: a link rests if it is from an earlier second.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2_000 });
    onTestFinished(() => void vi.useRealTimers());
    const link = await exportedLink(form);
    vi.useRealTimers();
    const path = `/open/forms/${form.id}`;
    const membersLink = async (list: string) =>
      (await home.call('GET', `${path}/submissions${list}`)).body.data[0].files[CV.id][0].file_url;

    await home.call('POST', `${path}/trash`);
    expect([(await fetch(link)).status, (await fetch(await membersLink(''))).status]).toEqual([404, 200]);
    await home.call('DELETE', `${path}/trash`);
    expect((await fetch(link)).status).toBe(200);

    const [record] = await home.records(form);
    await home.call('POST', `${path}/submissions/trash`, { submissionIds: [record.id] });
    expect([(await fetch(link)).status, (await fetch(await membersLink('/trash'))).status]).toEqual([
      404, 200,
    ]);
    const [{ id }] = (await home.call('GET', `${path}/submissions/trash`)).body.data;
    await home.call('POST', `${path}/submissions/trash/restore`, { submissionIds: [id] });
    expect((await fetch(link)).status).toBe(200);
  });

  async function exportedLink(form: { id: number }): Promise<string> {
    const columns = { [CV.id]: true };
    const { text } = await home.call('POST', `/open/forms/${form.id}/submissions/export`, { columns });
    return text.trim().split('\n')[1] ?? '';
  }
});
