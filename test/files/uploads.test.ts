import { describe, expect, test } from 'vitest';
import { aField } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { until } from '../setup/until.ts';
import { openUpload, PDF, PNG, storedFiles, upload } from './upload.ts';

const home = useHome({ env: { ROLES: 'http' } });
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

const CV = aField('01', 'files', 'CV', { multiple: true });
const SIGN = aField('02', 'signature', 'Signature');
const NAME = aField('03', 'text', 'Name');

const formWith = (...properties: unknown[]) => home.form({ properties });

describe('an upload', () => {
  test('is stored, and its reference is an answer', async () => {
    const form = await formWith(CV, SIGN, NAME);
    const { status, body } = await upload(home.service, form, CV.id, PDF, 'My CV.PDF');
    expect(status).toBe(201);
    expect(body).toEqual({
      uuid: expect.stringMatching(UUID),
      file_name: 'My-CV.pdf',
      size: PDF.length,
      content_type: 'application/pdf',
      reference: `My-CV_${body.uuid}.pdf`,
    });
    expect((await home.submit(form, { [CV.id]: [body.reference] })).status).toBe(200);
    const [record] = await home.records(form);
    expect(record.data[CV.id]).toEqual([body.reference]);
    expect(record.files).toEqual({
      [CV.id]: [
        { file_url: expect.stringContaining(`${body.uuid}.pdf?expires=`), file_name: body.reference },
      ],
    });
  });

  test('takes the field in a part before the file, and an answer takes the bare id or one text', async () => {
    const form = await formWith(CV);
    const { body } = await upload(home.service, form, CV.id, PDF, 'a.pdf', { fieldAsPart: true });
    expect((await home.submit(form, { [CV.id]: body.uuid })).status).toBe(200);
    expect((await home.records(form))[0].data[CV.id]).toEqual([body.reference]);
  });

  test.each([
    ['../../etc/passwd', 'passwd.bin'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/', 'file.bin'],
    ['.htaccess', 'file.htaccess'],
    ['Lebenslauf Müller.pdf', 'Lebenslauf-Müller.pdf'],
    ['photo\u202Egnp.exe.pdf', 'photognp.exe.pdf'],
    ['a\u0007b\u200Bc.pdf', 'abc.pdf'],
    ['a"b\'c<d>e&f.pdf', 'abcdef.pdf'],
    ['سيرة ذاتية.pdf', 'سيرة-ذاتية.pdf'],
    [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(50)}.pdf`],
    ['%00.pdf', '00.pdf'],
    ['a....pdf', 'a.pdf'],
    ['🙂🙂.pdf', 'file.pdf'],
  ])('cleans the name %j', async (sent, shown) => {
    const form = await formWith(CV);
    const { body, status } = await upload(
      home.service,
      form,
      CV.id,
      sent.endsWith('pdf') ? PDF : 'text',
      sent,
    );
    expect([status, body.file_name]).toEqual([201, shown]);
    const [stem, extension] = [shown.slice(0, shown.lastIndexOf('.')), shown.slice(shown.lastIndexOf('.'))];
    expect(body.reference).toBe(`${stem}_${body.uuid}${extension}`);
  });

  test('is refused for fields that take no files, unknown ones and none', async () => {
    const form = await formWith(CV, NAME);
    for (const id of [NAME.id, 'nobody', '__proto__', ''])
      expectInvalid(await upload(home.service, form, id, PDF, 'a.pdf'), 'field');
    expectInvalid(await upload(home.service, form, NAME.id, PDF, 'a.pdf', { fieldAsPart: true }), 'field');
    expect(await storedOf(form)).toBe(0);
  });

  test('is refused by drafts, closed and protected forms', async () => {
    const draft = await home.form({ properties: [CV], visibility: 'draft' });
    expectRefused(await upload(home.service, draft, CV.id, PDF, 'a.pdf'), 404);
    const closed = await home.form({ properties: [CV], visibility: 'closed' });
    expectRefused(await upload(home.service, closed, CV.id, PDF, 'a.pdf'), 403);
    const locked = await home.form({ properties: [CV], password: 'sesame' });
    expectRefused(await upload(home.service, locked, CV.id, PDF, 'a.pdf'), 403);
    const headers = { 'form-password': 'sesame' };
    expect((await upload(home.service, locked, CV.id, PDF, 'a.pdf', { headers })).status).toBe(201);
  });

  test('needs a file in a multipart body', async () => {
    const form = await formWith(CV);
    const path = `/forms/${form.slug}/files?field=${CV.id}`;
    expectRefused(await home.service.request('POST', path, { body: {} }), 415);
    const empty = await fetch(home.service.url + path, { method: 'POST', body: new FormData() });
    expect(empty.status).toBe(422);
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x']) {
      const answer = await home.service.request('POST', path, {
        body: '--y\r\n',
        headers: { 'content-type': type },
      });
      expect(answer.status, answer.text).toBeOneOf([400, 422]);
    }
  });

  test('is taken nowhere else', async () => {
    const form = await formWith(CV);
    const body = new FormData();
    body.set('a', 'b');
    const answer = await fetch(`${home.service.url}/forms/${form.slug}/answer`, { method: 'POST', body });
    expect(answer.status).toBe(415);
  });

  test('may come from pages of any site', async () => {
    const form = await formWith(CV);
    const answer = await upload(home.service, form, CV.id, PDF, 'a.pdf', {
      headers: { origin: 'https://a.example' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const asked = await home.service.request('OPTIONS', `/forms/${form.slug}/files`);
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  });
});

describe('what is not taken', () => {
  const MB = 1024 * 1024;

  test('a byte over the limit of the field', async () => {
    const form = await formWith({ ...CV, max_file_size: 1 });
    const whole = await upload(home.service, form, CV.id, Buffer.alloc(MB, 65), 'a.txt');
    expect([whole.status, whole.body.size]).toEqual([201, MB]);
    const before = await storedFiles(home.service);
    const answer = await upload(home.service, form, CV.id, Buffer.alloc(MB + 1, 65), 'a.txt');
    expect(answer.status).toBe(413);
    expect(answer.body).toEqual({
      message: 'File is too large.',
      error: 'file_too_large',
      errors: { file: ['File is too large.'] },
    });
    expect(await storedFiles(home.service)).toEqual(before);
  });

  test('more than the workspace allows, whatever the field says', async () => {
    const { pool } = home.service.context;
    const form = await formWith({ ...CV, max_file_size: 100 });
    await pool.query('update workspaces set max_file_size = 0.5 where id = $1', [home.workspaceId]);
    try {
      const answer = await upload(home.service, form, CV.id, Buffer.alloc(MB / 2 + 1, 65), 'a.txt');
      expect(answer.status).toBe(413);
    } finally {
      await pool.query('update workspaces set max_file_size = 25 where id = $1', [home.workspaceId]);
    }
  });

  test.each([
    ['page.html', 'hello'],
    ['page.HTM', 'hello'],
    ['x.svg', 'hello'],
    ['x.xml', 'hello'],
    ['x.html.', 'hello'],
    ['x.txt', '<!DOCTYPE html><p>'],
    ['x.txt', '\ufeff  \n<html>'],
    ['x.csv', '<script>alert(1)</script>'],
    ['x.pdf', '<html>%PDF-1.4'],
    ['x', '<?xml version="1.0"?><svg/>'],
    ['x.txt', '<svg onload=alert(1)>'],
    ['x.txt', '<!-- --><b>'],
    ['x.txt', Buffer.from('\ufeff<html>', 'utf16le')],
    ['x.txt', Buffer.from('<html>', 'utf16le')],
    ['x.txt', Buffer.from('\ufeff<html>', 'utf16le').swap16()],
  ])('pages and XML: %j %j', async (name, content) => {
    const form = await formWith(CV);
    const answer = await upload(home.service, form, CV.id, content as Uint8Array, name, {
      type: 'image/png',
    });
    expectInvalid(answer, 'file');
    expect(answer.body.error).toBe('file_not_allowed');
    expect(await storedOf(form)).toBe(0);
  });

  test.each([
    ['x.png', PDF],
    ['x.pdf', PNG],
    ['x.jpg', PNG],
    ['x.png', 'just text'],
    ['x.docx', 'just text'],
    ['x.txt', PNG],
    ['x.dat', windowsProgram()],
    ['x.pdf', windowsProgram()],
  ])('what its content is not: %j', async (name, content) => {
    const form = await formWith(CV);
    const answer = await upload(home.service, form, CV.id, content, name, { type: 'image/png' });
    expectInvalid(answer, 'file');
    expect(answer.body.error).toBe('file_type');
  });

  test('types the field does not list', async () => {
    const form = await formWith({ ...CV, allowed_file_types: 'pdf, .PNG,jpeg' });
    const answer = await upload(home.service, form, CV.id, 'text', 'a.txt');
    expect(answer.body.errors).toEqual({ file: ['Incorrect file type. Allowed only: pdf,png,jpeg'] });
    expect((await upload(home.service, form, CV.id, PNG, 'a.PNG')).status).toBe(201);
    expect((await upload(home.service, form, CV.id, Buffer.from('ffd8ffe000', 'hex'), 'a.jpg')).status).toBe(
      201,
    );
    expectInvalid(await upload(home.service, form, CV.id, PDF, 'nothing'), 'file');
  });

  test('a signature is uploaded as an image only', async () => {
    const form = await formWith(SIGN);
    expectInvalid(await upload(home.service, form, SIGN.id, PDF, 'a.pdf'), 'file');
    expect((await upload(home.service, form, SIGN.id, PNG, 'a.png')).status).toBe(201);
  });

  test('empty files', async () => {
    const form = await formWith(CV);
    const answer = await upload(home.service, form, CV.id, '', 'a.txt');
    expectInvalid(answer, 'file');
    expect(answer.body.error).toBe('file_empty');
    expect(await storedOf(form)).toBe(0);
  });

  test('what breaks off leaves nothing', async () => {
    const form = await formWith(CV);
    const before = await storedFiles(home.service);
    const { request } = openUpload(home.service, `/forms/${form.slug}/files?field=${CV.id}`);
    request.write('a'.repeat(100_000));
    await until(async () => (await storedFiles(home.service)).length > before.length, {
      what: 'a file under way',
    });
    request.destroy();
    await until(async () => (await storedOf(form)) === 0, { what: 'no row' });
    expect(await storedFiles(home.service)).toEqual(before);
  });

  test('what the store does not take is a 503, and leaves nothing', async () => {
    const form = await formWith(CV);
    const { files } = home.service.context;
    const { write } = files;
    files.write = async (_name, content) => {
      content.resume();
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    const answer = await upload(home.service, form, CV.id, PDF, 'a.pdf').finally(() => {
      files.write = write;
    });
    expectRefused(answer, 503);
    expect(await storedOf(form)).toBe(0);
  });

  test('after a refusal the connection goes on', async () => {
    const form = await formWith({ ...CV, max_file_size: 1 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => upload(home.service, form, CV.id, Buffer.alloc(3 * MB, 65), 'a.txt')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(413));
    expect((await home.submit(form, {})).status).toBe(200);
  });

  test('more than three hundred that nobody sent, from one address', async () => {
    const form = await formWith(CV);
    const { pool } = home.service.context;
    expect((await upload(home.service, form, CV.id, PDF, 'a.pdf')).status).toBe(201);
    await pool.query(
      `insert into uploads (id, form_id, property_id, name, store_name, size, sender, received_at)
       select gen_random_uuid(), form_id, property_id, name, store_name || n, 1, sender, now()
       from uploads, generate_series(1, 299) n where form_id = $1`,
      [form.id],
    );
    const refused = await upload(home.service, form, CV.id, PDF, 'a.pdf');
    expectRefused(refused, 429);
    expect(refused.headers.get('retry-after')).toBe('600');
    // Uploads of other senders do not count until there are very many.
    await pool.query(`update uploads set sender = '\\x00' where form_id = $1`, [form.id]);
    expect((await upload(home.service, form, CV.id, PDF, 'a.pdf')).status).toBe(201);
    await pool.query('update uploads set size = 36000000 where form_id = $1', [form.id]);
    expectRefused(await upload(home.service, form, CV.id, PDF, 'a.pdf'), 503);
  });
});

async function storedOf(form: { id: number }): Promise<number> {
  const { rows } = await home.service.context.pool.query('select id from uploads where form_id = $1', [
    form.id,
  ]);
  return rows.length;
}

function windowsProgram(): Buffer {
  const bytes = Buffer.alloc(200);
  bytes.write('MZ', 0);
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE\0\0', 128);
  return bytes;
}
