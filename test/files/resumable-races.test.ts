import { randomBytes } from 'node:crypto';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { purgeFiles } from '../../server/files/remove-files.ts';
import { useBuckets } from '../setup/bucket.ts';
import { aField } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';
import { ask, begin, end, named, PART_TYPE, send } from './resumable.ts';

const FILM = aField('01', 'files', 'Film');
const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;

const bucketSettings = useBuckets();

describe.each(['disk', 's3'])('a file in parts, on %s', (kind) => {
  const home = useHome(async () => ({
    env: { ROLES: 'http', ...(kind === 's3' ? await bucketSettings() : {}) },
  }));
  const query = (text: string, values: unknown[]) => home.service.context.pool.query(text, values);
  const purge = () => purgeFiles(home.service.context, home.service.context.db, AbortSignal.any([]));

  async function begun(form: { slug: string }, length: number) {
    const headers = { 'upload-length': String(length), ...named('film.bin') };
    const { body } = await begin(home.service, form, FILM.id, headers);
    return { uuid: String(body.uuid), path: `/forms/${form.slug}/uploads/${body.uuid}` };
  }

  const partsOf = async (uuid: string): Promise<number> =>
    (await query('select from upload_parts where upload_id = $1', [uuid])).rows.length;

  /** Sends only the beginning of a part; the rest stays missing until the test ends it. */
  async function slowly({ uuid, path }: { uuid: string; path: string }, announced: number) {
    const before = await partsOf(uuid);
    const headers = {
      'tus-resumable': '1.0.0',
      'content-type': PART_TYPE,
      'upload-offset': '0',
      'content-length': String(announced),
    };
    const request: ClientRequest = httpRequest(home.service.url + path, { method: 'PATCH', headers });
    request.on('error', () => {});
    onTestFinished(() => void request.destroy());
    const status = new Promise<number>((resolve) => {
      request.on('response', (answer) => resolve(answer.resume().statusCode ?? 0));
    });
    request.write(randomBytes(10));
    const arriving = until(async () => (await partsOf(uuid)) > before).then(() => null);
    return { request, refusal: await Promise.race([status, arriving]), status };
  }

  /** Marks the upload as being put together by another process until this time. */
  const hold = (uuid: string, time: string) =>
    query(`update resumable_uploads set joining_until = ${time} where upload_id = $1`, [uuid]);

  test('keeps in mind a part that is still on its way when all have arrived', async () => {
    const form = await home.form({ properties: [FILM] });
    const content = randomBytes(20_000);
    const upload = await begun(form, content.length);
    const { request, status } = await slowly(upload, content.length);
    expect((await send(home.service, upload.path, 0, content)).status).toBe(204);
    await purge();
    // Even if this process dies, the part it is storing is on record.
    expect(await partsOf(upload.uuid)).toBe(1);
    request.end(content.subarray(10));
    expect(await status).toBe(409);
    await purge();
    expect(await partsOf(upload.uuid)).toBe(0);
    expect((await query('select from resumable_uploads where upload_id = $1', [upload.uuid])).rows).toEqual(
      [],
    );
    expect((await home.submit(form, { [FILM.id]: [upload.uuid] })).status).toBe(200);
    const [record] = await home.records(form);
    const stored = await (await fetch(record.files[FILM.id][0].file_url)).arrayBuffer();
    expect(Buffer.from(stored).equals(content)).toBe(true);
  });

  test('is not forgotten while it is put together, also when it is given up', async () => {
    const form = await home.form({ properties: [FILM] });
    const upload = await begun(form, 10);
    await hold(upload.uuid, `now() + interval '5 minutes'`);
    expect((await send(home.service, upload.path, 0, randomBytes(10))).status).toBe(423);
    expect((await end(home.service, upload.path)).status).toBe(204);
    await runAllJobs(home.service.context);
    const rows = async () => (await query('select from uploads where id = $1', [upload.uuid])).rows.length;
    expect(await rows()).toBe(1);
    await hold(upload.uuid, 'now()');
    await purge();
    expect(await rows()).toBe(0);
  });

  test('is not lost when two put it together after all', async () => {
    const form = await home.form({ properties: [FILM] });
    const content = randomBytes(20);
    const upload = await begun(form, content.length);
    await send(home.service, upload.path, 0, content.subarray(0, 10));
    const { files } = home.service.context;
    const { read } = files;
    const [reached, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    files.read = async (name) => {
      if (++reads === 2) {
        reached.resolve();
        await held.promise;
      }
      return read(name);
    };
    onTestFinished(() => {
      files.read = read;
    });
    const first = send(home.service, upload.path, 10, content.subarray(10));
    await reached.promise;
    // The limit for putting parts together has passed.
    await hold(upload.uuid, 'now()');
    expect((await ask(home.service, upload.path)).status).toBe(200);
    held.resolve();
    await first;
    expect((await ask(home.service, upload.path)).status).toBe(200);
    expect((await home.submit(form, { [FILM.id]: [upload.uuid] })).status).toBe(200);
    const [record] = await home.records(form);
    const stored = await (await fetch(record.files[FILM.id][0].file_url)).arrayBuffer();
    expect(Buffer.from(stored).equals(content)).toBe(true);
  });

  test('loses no part whose answer from the database was lost', async () => {
    const form = await home.form({ properties: [FILM] });
    const content = randomBytes(30);
    const { uuid, path } = await begun(form, content.length);
    await send(home.service, path, 0, content.subarray(0, 10));
    const { db } = home.service.context;
    const { transaction } = db;
    onTestFinished(() => {
      db.transaction = transaction;
    });
    let isLost = false;
    // The connection breaks after the commit that counts the part.
    db.transaction = () => {
      const begunOne = transaction.call(db);
      const { execute } = begunOne;
      begunOne.execute = async (work) => {
        const result = await execute.call(begunOne, work);
        const { rows } = await query('select received from resumable_uploads where upload_id = $1', [uuid]);
        if (isLost || Number(rows[0]?.received) !== 20) return result as never;
        isLost = true;
        throw new Error('Connection terminated unexpectedly');
      };
      return begunOne;
    };
    expect((await send(home.service, path, 10, content.subarray(10, 20))).status).toBe(204);
    expect(isLost).toBe(true);
    expect((await send(home.service, path, 20, content.subarray(20))).status).toBe(204);
    expect((await home.submit(form, { [FILM.id]: [uuid] })).status).toBe(200);
    const [record] = await home.records(form);
    const stored = await (await fetch(record.files[FILM.id][0].file_url)).arrayBuffer();
    expect(Buffer.from(stored).equals(content)).toBe(true);
  });

  test('is never taken for complete when bytes are missing', async () => {
    const form = await home.form({ properties: [FILM] });
    const { uuid, path } = await begun(form, 30);
    await send(home.service, path, 0, randomBytes(10));
    await send(home.service, path, 10, randomBytes(10));
    await query('delete from upload_parts where upload_id = $1 and start = 10', [uuid]);
    expect((await send(home.service, path, 20, randomBytes(10))).status).toBe(404);
    expect((await home.submit(form, { [FILM.id]: [uuid] })).status).toBe(422);
  });

  /** Leaves a sender this many bytes of a gigabyte. */
  async function leaveRoom(form: { slug: string }, bytes: number): Promise<void> {
    const { uuid } = await begun(form, 10);
    await query('update uploads set size = $2 where id = $1', [uuid, GIGABYTE - bytes]);
  }

  test('takes room for every part that is on its way', async () => {
    const form = await home.form({ properties: [FILM] });
    await leaveRoom(form, 50 * MEGABYTE);
    const upload = await begun(form, 20 * MEGABYTE);
    const refusals: (number | null)[] = [];
    for (let n = 0; n < 3; n++) refusals.push((await slowly(upload, 20 * MEGABYTE)).refusal);
    expect(refusals).toEqual([null, null, 429]);
  });

  test('takes no less room for being sent in tiny parts', async () => {
    const form = await home.form({ properties: [FILM] });
    await leaveRoom(form, 600 * 1024);
    const { path } = await begun(form, 100);
    const statuses: number[] = [];
    for (let at = 0; at < 3; at++) statuses.push((await send(home.service, path, at, randomBytes(1))).status);
    expect(statuses).toEqual([204, 204, 429]);
  });
});
