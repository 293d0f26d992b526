import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { purgeFiles } from '../../server/files/remove-files.ts';
import { useBuckets } from '../setup/bucket.ts';
import { aField } from '../setup/factories.ts';
import { expectInvalid, expectRefused, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import type { Answer } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { ask, begin, breakOff, end, named, PART_TYPE, send } from './resumable.ts';
import { PDF, PNG } from './upload.ts';

const CV = aField('01', 'files', 'CV', { multiple: true });
const PICTURE = aField('02', 'files', 'Picture', { allowed_file_types: 'png', max_file_size: 1 });
const NAME = aField('03', 'text', 'Name');

const bucketSettings = useBuckets();

function expectError(answer: Answer, status: number, error: string): void {
  expectRefused(answer, status);
  expect(answer.body.error).toBe(error);
}

const offsetOf = (answer: { headers: Headers }) => Number(answer.headers.get('upload-offset'));

describe.each(['disk', 's3'])('a file in parts, on %s', (kind) => {
  const home = useHome(async () => ({
    env: { ROLES: 'http', ...(kind === 's3' ? await bucketSettings() : {}) },
  }));
  const aFormWithFiles = () => home.form({ properties: [CV, PICTURE, NAME] });
  const work = () => runAllJobs(home.service.context);

  async function begun(form: { slug: string }, length: number, name = 'film.bin') {
    const answer = await begin(home.service, form, CV.id, {
      'upload-length': String(length),
      ...named(name),
    });
    expect(answer.status, answer.text).toBe(201);
    return { ...answer.body, path: answer.headers.get('location') ?? '' };
  }

  /** The numbers of files in the store and of rows, for whole files and for parts. */
  async function kept(form: { id: number }) {
    const { pool, files } = home.service.context;
    const { rows } = await pool.query(
      `select store_name from uploads where form_id = $1 union all
        select upload_parts.store_name from upload_parts join uploads on id = upload_id where form_id = $1`,
      [form.id],
    );
    const names: string[] = [];
    for (let folder = 0; folder < 256; folder++)
      names.push(...(await files.list(`uploads/${folder.toString(16).padStart(2, '0')}`)));
    return {
      files: names.filter((name) => rows.some((row) => row.store_name === name)).length,
      all: names.length,
      rows: rows.length,
    };
  }

  async function download(form: { id: number; slug: string }): Promise<Buffer> {
    const [record] = await home.records(form);
    const response = await fetch(record.files[CV.id][0].file_url);
    return Buffer.from(await response.arrayBuffer());
  }

  test('is put together, and its reference is an answer', async () => {
    const form = await aFormWithFiles();
    const content = randomBytes(300_000);
    const upload = await begun(form, content.length, 'My film.BIN');
    expect(upload).toMatchObject({ file_name: 'My-film.bin', reference: `My-film_${upload.uuid}.bin` });
    expect(upload.path).toBe(`/forms/${form.slug}/uploads/${upload.uuid}`);
    for (let at = 0; at < content.length; at += 100_000) {
      const state = await ask(home.service, upload.path);
      expect([state.status, offsetOf(state), state.headers.get('upload-length')]).toEqual([
        200,
        at,
        '300000',
      ]);
      expect(state.headers.get('upload-metadata')).toBe(named('My film.BIN')['upload-metadata']);
      const answer = await send(home.service, upload.path, at, content.subarray(at, at + 100_000));
      expect([answer.status, offsetOf(answer)]).toEqual([204, at + 100_000]);
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0');
    }
    expect(offsetOf(await ask(home.service, upload.path))).toBe(content.length);
    expect(await kept(form)).toMatchObject({ files: 1, rows: 1 });
    expect((await home.submit(form, { [CV.id]: [upload.reference] })).status).toBe(200);
    expect((await download(form)).equals(content)).toBe(true);
  });

  test('goes on where the connection broke', async () => {
    const form = await aFormWithFiles();
    const content = randomBytes(200_000);
    const { path, uuid } = await begun(form, content.length);
    const arrived = await breakOff(home.service, path, 0, content.subarray(0, 120_000), content.length);
    expect(arrived).toBeLessThanOrEqual(120_000);
    expect((await send(home.service, path, arrived, content.subarray(arrived))).status).toBe(204);
    expect((await home.submit(form, { [CV.id]: [uuid] })).status).toBe(200);
    expect((await download(form)).equals(content)).toBe(true);
  });

  test('takes each byte once, whoever sends it', async () => {
    const form = await aFormWithFiles();
    const content = randomBytes(100_000);
    const { path, uuid } = await begun(form, content.length);
    const halves = [content.subarray(0, 50_000), content.subarray(50_000)] as const;
    const first = await Promise.all([1, 2, 3].map(() => send(home.service, path, 0, halves[0])));
    expect(first.map(({ status }) => status).sort()).toEqual([204, 409, 409]);
    const refused = await send(home.service, path, 0, halves[0]);
    expectError(refused, 409, 'offset_conflict');
    expect(offsetOf(refused)).toBe(50_000);
    for (const at of [60_000, 200_000])
      expectError(await send(home.service, path, at, halves[1].subarray(10_000)), 409, 'offset_conflict');
    const last = await Promise.all([1, 2, 3].map(() => send(home.service, path, 50_000, halves[1])));
    expect(last.map(({ status }) => status)).toContain(204);
    for (const { status } of last) expect([204, 409, 423]).toContain(status);
    await until(async () => (await ask(home.service, path)).status === 200);
    expect((await home.submit(form, { [CV.id]: [uuid] })).status).toBe(200);
    expect((await download(form)).equals(content)).toBe(true);
    expect(await kept(form)).toMatchObject({ files: 1, rows: 1 });
  });

  test('is no answer before it is complete', async () => {
    const form = await aFormWithFiles();
    const { path, reference } = await begun(form, 10);
    await send(home.service, path, 0, randomBytes(9));
    expectInvalid(await home.submit(form, { [CV.id]: [reference] }), CV.id);
  });

  test('that is not taken is refused as soon as that is known, and leaves nothing behind', async () => {
    const form = await aFormWithFiles();
    const start = (length: number, name: string) =>
      begin(home.service, form, PICTURE.id, { 'upload-length': String(length), ...named(name) });
    const tooLarge = await start(2 * 1024 * 1024, 'a.png');
    expectError(tooLarge, 413, 'file_too_large');
    expect(tooLarge.body.errors).toEqual({ file: [tooLarge.body.message] });
    expectError(await start(0, 'a.png'), 422, 'file_empty');
    expectError(await start(10, 'a.pdf'), 422, 'file_type');
    expectError(await start(10, 'a.svg'), 422, 'file_not_allowed');
    const { headers } = await start(500_000, 'a.png');
    const path = headers.get('location') ?? '';
    // The first bytes are enough to refuse the file.
    const refused = await send(home.service, path, 0, Buffer.concat([PDF, randomBytes(10_000)]));
    expectError(refused, 422, 'file_type');
    expect((await ask(home.service, path)).status).toBe(404);
    // A first part too short to judge by: the whole file is checked.
    const slow = (await start(PDF.length, 'b.png')).headers.get('location') ?? '';
    expect(await breakOff(home.service, slow, 0, PDF.subarray(0, 4), PDF.length)).toBe(4);
    expectError(await send(home.service, slow, 4, PDF.subarray(4)), 422, 'file_type');
    await work();
    expect(await kept(form)).toMatchObject({ files: 0, rows: 0 });
  });

  test('is given up at once, or a day after its last part', async () => {
    const form = await aFormWithFiles();
    const before = (await kept(form)).all;
    const first = await begun(form, 20_000);
    await send(home.service, first.path, 0, randomBytes(10_000));
    expect((await end(home.service, first.path)).status).toBe(204);
    expect((await end(home.service, first.path)).status).toBe(404);
    expect((await send(home.service, first.path, 10_000, randomBytes(10_000))).status).toBe(404);
    const second = await begun(form, 20_000);
    await send(home.service, second.path, 0, randomBytes(10_000));
    await work();
    expect(await kept(form)).toMatchObject({ files: 1, rows: 2 });
    await home.service.context.pool.query(
      `update uploads set touched_at = now() - interval '25 hours' where id = $1`,
      [second.uuid],
    );
    await purgeFiles(home.service.context, home.service.context.db, AbortSignal.any([]));
    expect(await kept(form)).toEqual({ files: 0, rows: 0, all: before });
  });

  test('whose process was killed while it was put together is put together by the next request', async () => {
    const form = await aFormWithFiles();
    const { path, uuid } = await begun(form, PNG.length);
    const { pool } = home.service.context;
    // Leaves the state that a process leaves which ended after the last part.
    const hold = (until: string) =>
      pool.query(`update resumable_uploads set joining_until = ${until} where upload_id = $1`, [uuid]);
    await hold(`now() + interval '5 minutes'`);
    expectError(await send(home.service, path, 0, PNG), 423, 'upload_busy');
    expect((await ask(home.service, path)).status).toBe(423);
    await hold('now()');
    expect(offsetOf(await ask(home.service, path))).toBe(PNG.length);
    expect((await home.submit(form, { [CV.id]: [uuid] })).status).toBe(200);
    expect((await download(form)).equals(PNG)).toBe(true);
  });

  test('whose parts are gone is gone', async () => {
    const form = await aFormWithFiles();
    const { path, uuid } = await begun(form, 20);
    await send(home.service, path, 0, randomBytes(10));
    const { pool, files } = home.service.context;
    const { rows } = await pool.query('select store_name from upload_parts where upload_id = $1', [uuid]);
    await files.remove(rows[0].store_name);
    expect((await send(home.service, path, 10, randomBytes(10))).status).toBe(404);
    expect((await ask(home.service, path)).status).toBe(404);
  });
});

describe('requests of files in parts', () => {
  const home = useHome({ env: { ROLES: 'http' } });
  const metadata = named('a.bin');
  const headers = { 'upload-length': '10', ...metadata };

  test('name form, field, length and version', async () => {
    const form = await home.form({ properties: [CV, NAME] });
    const post = (path: string, more: Record<string, string>) =>
      home.service.request('POST', path, { headers: { 'tus-resumable': '1.0.0', ...headers, ...more } });
    const path = `/forms/${form.slug}/uploads`;
    expectInvalid(await post(path, {}), 'field');
    expectInvalid(await post(`${path}?field=${NAME.id}`, {}), 'field');
    const inMetadata = `${metadata['upload-metadata']},field ${Buffer.from(CV.id).toString('base64')}`;
    expect((await post(path, { 'upload-metadata': inMetadata })).status).toBe(201);
    expect((await post(`/forms/nobody/uploads?field=${CV.id}`, {})).status).toBe(404);
    for (const length of ['', '-1', '1.5', '1e3', 'x', '9'.repeat(16)])
      expect((await post(`${path}?field=${CV.id}`, { 'upload-length': length })).status, length).toBe(400);
    for (const metadata of ['filename é', 'filename a b', ',,', 'x'.repeat(4_001), 'filename !'])
      expect(
        (
          await post(`${path}?field=${CV.id}`, {
            'upload-metadata': encodeURI(metadata).replaceAll('%20', ' '),
          })
        ).status,
        metadata,
      ).toBe(400);
    const other = await post(`${path}?field=${CV.id}`, { 'tus-resumable': '0.2.2' });
    expect([other.status, other.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    const without = await home.service.request('POST', `${path}?field=${CV.id}`, { headers });
    expect(without.status).toBe(412);
  });

  test('are of this form and this kind', async () => {
    const form = await home.form({ properties: [CV] });
    const other = await home.form({ properties: [CV] });
    const { body } = await begin(home.service, form, CV.id, headers);
    const path = `/forms/${form.slug}/uploads/${body.uuid}`;
    expect((await ask(home.service, path)).status).toBe(200);
    expect((await ask(home.service, `/forms/${form.id}/uploads/${body.uuid}`)).status).toBe(404);
    for (const id of [body.uuid, 'x', '1'])
      expect((await ask(home.service, `/forms/${other.slug}/uploads/${id}`)).status).toBe(404);
    expect((await send(home.service, path, 0, randomBytes(5), { 'content-type': 'text/plain' })).status).toBe(
      415,
    );
    expect((await send(home.service, path, 0, randomBytes(11))).status).toBe(400);
    const noOffset = await fetch(home.service.url + path, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'content-type': PART_TYPE },
      body: randomBytes(5),
    });
    expect(noOffset.status).toBe(400);
    expect(offsetOf(await ask(home.service, path))).toBe(0);
  });

  test('need the password of a protected form, and an open one', async () => {
    const form = await home.form({ properties: [CV], password: 'guess me' });
    expectError(await begin(home.service, form, CV.id, headers), 403, 'form_protected');
    const word = { 'form-password': 'guess me' };
    const { body } = await begin(home.service, form, CV.id, { ...headers, ...word });
    const path = `/forms/${form.slug}/uploads/${body.uuid}`;
    expectError(await send(home.service, path, 0, randomBytes(5)), 403, 'form_protected');
    expect((await send(home.service, path, 0, randomBytes(5), word)).status).toBe(204);
    await home.call('PUT', `/open/forms/${form.id}`, { closes_at: '2020-01-01T00:00:00Z' });
    expectError(await send(home.service, path, 5, randomBytes(5), word), 403, 'form_closed');
  });

  test('may come from pages of other sites', async () => {
    const form = await home.form({ properties: [CV] });
    const { body } = await begin(home.service, form, CV.id, headers);
    for (const path of [`/forms/${form.slug}/uploads`, `/forms/${form.slug}/uploads/${body.uuid}`]) {
      const preflight = await home.service.request('OPTIONS', path);
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-methods')).toMatch(/HEAD.*POST.*PATCH.*DELETE/);
      expect(preflight.headers.get('tus-extension')).toBe('creation,termination');
    }
    const state = await ask(home.service, `/forms/${form.slug}/uploads/${body.uuid}`);
    expect(state.headers.get('access-control-allow-origin')).toBe('*');
    expect(state.headers.get('access-control-expose-headers')).toMatch(/location.*upload-offset/);
  });

  test('come in 2,000 parts at most', async () => {
    const form = await home.form({ properties: [CV] });
    const { body } = await begin(home.service, form, CV.id, headers);
    await home.service.context.pool.query(
      `insert into upload_parts (upload_id, store_name, start, most)
        select $1, 'part-' || number, 0, 1 from generate_series(1, 2000) number`,
      [body.uuid],
    );
    const refused = await send(home.service, `/forms/${form.slug}/uploads/${body.uuid}`, 0, randomBytes(5));
    expectError(refused, 422, 'too_many_parts');
    expect(refused.body.errors).toEqual({ file: [refused.body.message] });
  });

  test('of one sender have room for a gigabyte that has arrived, whatever was announced', async () => {
    const form = await home.form({ properties: [CV] });
    await home.call('PUT', `/open/workspaces/${home.workspaceId}/settings`, { max_file_size: 1024 });
    const large = { ...headers, 'upload-length': String(1024 ** 3) };
    const uploads: string[] = [];
    for (let n = 0; n < 5; n++) uploads.push((await begin(home.service, form, CV.id, large)).body.uuid);
    const { pool } = home.service.context;
    await pool.query('update uploads set size = $2 where id = $1', [uploads[0], 1024 ** 3]);
    await pool.query('update uploads set size = $2 where id = $1', [uploads[1], 1024 ** 3 - 256 * 1024]);
    const path = (n: number) => `/forms/${form.slug}/uploads/${uploads[n]}`;
    expect((await send(home.service, path(2), 0, randomBytes(5))).status).toBe(204);
    expectError(await send(home.service, path(3), 0, randomBytes(5)), 429, 'too_many_uploads');
    expect(offsetOf(await ask(home.service, path(3)))).toBe(0);
  });
});
