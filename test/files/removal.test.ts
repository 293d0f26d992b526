import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { deleteAccount } from '../../server/accounts/delete-account.ts';
import { CLI } from '../../server/audit/actor.ts';
import { purgeFiles } from '../../server/files/remove-files.ts';
import { useBuckets } from '../setup/bucket.ts';
import { aField, aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { until } from '../setup/until.ts';
import { openUpload, PDF, PNG, upload } from './upload.ts';

const CV = aField('01', 'files', 'CV', { multiple: true });
const SIGN = aField('02', 'signature', 'Signature');
const DRAWING = `data:image/png;base64,${PNG.toString('base64')}`;

const bucketSettings = useBuckets();

describe.each(['disk', 's3'])('files on %s', (kind) => {
  const home = useHome(async () => ({
    env: { ROLES: 'http', ...(kind === 's3' ? await bucketSettings() : {}) },
  }));

  const formWithFiles = (overrides = {}) => home.form({ properties: [CV, SIGN], ...overrides });
  const work = () => runAllJobs(home.service.context);

  /** A submission with two uploads and a drawing. */
  async function submitted(form: { slug: string; id: number }, more = {}): Promise<any> {
    const references: string[] = [];
    for (const name of ['a.pdf', 'b.pdf']) {
      const { body } = await upload(home.service, form, CV.id, PDF, name);
      references.push(body.reference);
    }
    const answer = await home.submit(form, { [CV.id]: references, [SIGN.id]: DRAWING, ...more });
    expect(answer.status, answer.text).toBe(200);
    const [record] = await home.records(form);
    return record;
  }

  /** The number of a form's files in the store, and of their rows. */
  async function kept(form: { id: number }): Promise<{ files: number; rows: number }> {
    const { pool, files } = home.service.context;
    const { rows } = await pool.query('select store_name from uploads where form_id = $1', [form.id]);
    let count = 0;
    for (const { store_name } of rows) {
      const content = await files.read(store_name);
      if (content) count += 1;
      content?.destroy();
    }
    return { files: count, rows: rows.length };
  }

  async function names(): Promise<string[]> {
    const all: string[] = [];
    for (let byte = 0; byte < 256; byte++) {
      const folder = `uploads/${byte.toString(16).padStart(2, '0')}`;
      all.push(...(await home.service.context.files.list(folder)));
    }
    return all;
  }

  const urlsOf = (record: any): string[] =>
    Object.values<{ file_url: string }[]>(record.files).flatMap((files) =>
      files.map(({ file_url }) => file_url),
    );
  const statusesOf = async (record: any) =>
    Promise.all(urlsOf(record).map(async (url) => (await fetch(url)).status));
  const THREE = { files: 3, rows: 3 };
  const NONE = { files: 0, rows: 0 };

  test('come back as they went in', async () => {
    const form = await formWithFiles();
    const large = Buffer.alloc(12 * 1024 * 1024, 'formstead ');
    const { body } = await upload(home.service, form, CV.id, large, 'large.txt');
    await home.submit(form, { [CV.id]: [body.reference] });
    const [record] = await home.records(form);
    const answer = await fetch(record.files[CV.id][0].file_url);
    expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true);
  });

  test('too large ones and broken ones leave nothing', async () => {
    const form = await formWithFiles({ properties: [{ ...CV, max_file_size: 8 }] });
    const before = await names();
    const answer = await upload(home.service, form, CV.id, Buffer.alloc(8 * 1024 * 1024 + 1, 65), 'a.txt');
    expect(answer.status).toBe(413);
    const { request } = openUpload(home.service, `/forms/${form.slug}/files?field=${CV.id}`);
    request.write(Buffer.alloc(6 * 1024 * 1024, 65));
    await expect.poll(async () => (await kept(form)).rows).toBe(1);
    request.destroy();
    await expect.poll(() => kept(form)).toEqual(NONE);
    expect(await names()).toEqual(before);
  });

  test('go with their submission, and no others', async () => {
    const form = await formWithFiles();
    const stays = await submitted(form);
    const goes = await submitted(form);
    expect(await statusesOf(goes)).toEqual([200, 200, 200]);
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${goes.id}`);
    expect(await statusesOf(goes)).toEqual([404, 404, 404]);
    await work();
    expect(await kept(form)).toEqual(THREE);
    expect(await statusesOf(stays)).toEqual([200, 200, 200]);
  });

  test('go with many submissions', async () => {
    const form = await formWithFiles();
    const submissionIds = [(await submitted(form)).id, (await submitted(form)).id];
    await home.call('POST', `/open/forms/${form.id}/submissions/multi`, { submissionIds });
    await work();
    expect(await kept(form)).toEqual(NONE);
  });

  test('go with the retention', async () => {
    const form = await formWithFiles({ submission_retention_value: 1, submission_retention_unit: 'day' });
    await submitted(form);
    await home.service.context.pool.query(
      `update submissions set updated_at = now() - interval '2 days' where form_id = $1`,
      [form.id],
    );
    await enqueue('purge_submissions');
    await work();
    expect(await home.records(form)).toEqual([]);
    expect(await kept(form)).toEqual(NONE);
  });

  test('go with the form, unclaimed ones too', async () => {
    const form = await formWithFiles();
    const record = await submitted(form);
    await upload(home.service, form, CV.id, PDF, 'a.pdf');
    const before = await names();
    await home.call('DELETE', `/open/forms/${form.id}`);
    expect(await statusesOf(record)).toEqual([404, 404, 404]);
    await work();
    expect(await kept(form)).toEqual(NONE);
    expect(await names()).toHaveLength(before.length - 4);
  });

  test('go with the workspace, and with the account', async () => {
    const { service } = home;
    const person = await aUser(service, { name: 'Eve' });
    const forms: any[] = [];
    for (let count = 0; count < 2; count++) {
      const workspaceId = await aWorkspace(service, person);
      const form = await aForm(service, person, workspaceId, { properties: [CV] });
      await upload(service, form, CV.id, PDF, 'a.pdf');
      forms.push({ ...form, workspaceId });
    }
    const [first, second] = forms;
    await home.call('DELETE', `/open/workspaces/${first.workspaceId}`, undefined, person.token);
    await work();
    expect(await kept(first)).toEqual(NONE);
    expect(await kept(second)).toEqual({ files: 1, rows: 1 });
    const exported = 'exports/of-an-account.csv';
    await service.context.files.write(exported, Readable.from(['x']));
    await service.context.pool.query(
      `insert into export_jobs (job_id, form_id, columns, file_name, status) values ($1, $2, '{}', $3, 'completed')`,
      ['export_1', second.id, exported],
    );
    await deleteAccount(service.context.db, person.email, { withWorkspaces: true }, CLI);
    await work();
    expect(await kept(second)).toEqual(NONE);
    expect(await service.context.files.read(exported)).toBeNull();
  });

  test('that an edit drops go', async () => {
    const form = await formWithFiles();
    const record = await submitted(form);
    const path = `/open/forms/${form.id}/submissions/${record.id}`;
    await home.call('PUT', path, { [CV.id]: record.data[CV.id].slice(0, 1), [SIGN.id]: null });
    await work();
    expect(await kept(form)).toEqual({ files: 1, rows: 1 });
    // When a field is no longer in the form, an edit removes its files only if it names the field.
    await home.call('PUT', `/open/forms/${form.id}`, { properties: [SIGN] });
    await home.call('PUT', path, {});
    await work();
    expect(await kept(form)).toEqual({ files: 1, rows: 1 });
    await home.call('PUT', path, { [CV.id]: null });
    await work();
    expect(await kept(form)).toEqual(NONE);
  });

  test('nobody claimed go after a day; claimed ones stay, however old', async () => {
    const form = await formWithFiles();
    const record = await submitted(form);
    const { body } = await upload(home.service, form, CV.id, PDF, 'a.pdf');
    await purge(form, '23 hours');
    expect(await kept(form)).toEqual({ files: 4, rows: 4 });
    await purge(form, '25 hours');
    expect(await kept(form)).toEqual(THREE);
    expect((await home.submit(form, { [CV.id]: body.uuid })).status).toBe(422);
    await purge(form, '900 days');
    expect(await statusesOf(record)).toEqual([200, 200, 200]);
    // Who uploaded the files is forgotten by then.
    const { rows } = await home.service.context.pool.query(
      'select distinct sender, is_settled from uploads where form_id = $1',
      [form.id],
    );
    expect(rows).toEqual([{ sender: null, is_settled: true }]);
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${record.id}`);
    await work();
    expect(await kept(form)).toEqual(NONE);
  });

  test('that somebody changes at that moment are left to the next turn', async () => {
    const form = await formWithFiles();
    await submitted(form);
    const { context } = home.service;
    const { pool } = context;
    await pool.query(`update uploads set touched_at = now() - interval '25 hours' where form_id = $1`, [
      form.id,
    ]);
    const purgeNow = () => purgeFiles(context, context.db, AbortSignal.any([]));
    const settled = async () =>
      (await pool.query('select from uploads where form_id = $1 and is_settled', [form.id])).rowCount;
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select from uploads where form_id = $1 limit 1 for update', [form.id]);
      await purgeNow();
      expect(await settled()).toBe(2);
      await client.query('commit');
    } finally {
      client.release(true);
    }
    await purgeNow();
    expect(await settled()).toBe(3);
  });

  test('claimed by a submission that never came are free after a minute and go after a day', async () => {
    const form = await formWithFiles();
    const { pool } = home.service.context;
    const { body } = await upload(home.service, form, CV.id, PDF, 'a.pdf');
    const claim =
      'update uploads set submission_public_id = gen_random_uuid(), touched_at = now() - $2::interval where id = $1';
    await pool.query(claim, [body.uuid, '30 seconds']);
    const early = await home.submit(form, { [CV.id]: body.uuid });
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '2']);
    await pool.query(claim, [body.uuid, '2 minutes']);
    expect((await home.submit(form, { [CV.id]: body.uuid })).status).toBe(200);
    const other = await upload(home.service, form, CV.id, PDF, 'a.pdf');
    await pool.query(claim, [other.body.uuid, '25 hours']);
    await enqueue('purge_files');
    await work();
    expect(await kept(form)).toEqual({ files: 1, rows: 1 });
  });

  test('of a process that died while it received them go', async () => {
    const form = await formWithFiles();
    await upload(home.service, form, CV.id, PDF, 'a.pdf');
    await home.service.context.pool.query('update uploads set received_at = null where form_id = $1', [
      form.id,
    ]);
    await purge(form, '25 hours');
    expect(await kept(form)).toEqual(NONE);
  });

  test('that arrive after their form is gone go, too', async () => {
    const form = await formWithFiles();
    const { request, end } = openUpload(home.service, `/forms/${form.slug}/files?field=${CV.id}`);
    const answered = new Promise<number>((resolve) =>
      request.on('response', (response) => resolve(response.resume().statusCode ?? 0)),
    );
    request.write('hello');
    await until(async () => (await kept(form)).rows === 1, { what: 'an upload under way' });
    await home.call('DELETE', `/open/forms/${form.id}`);
    await work();
    end();
    expect(await answered).toBe(201);
    await enqueue('purge_files');
    await work();
    expect(await kept(form)).toEqual(NONE);
  });

  test('that the store does not remove at once are removed later', async () => {
    const form = await formWithFiles();
    const record = await submitted(form);
    const { files, pool } = home.service.context;
    const { remove } = files;
    files.remove = () => Promise.reject(new Error('The bucket is silent.'));
    await home.call('DELETE', `/open/forms/${form.id}/submissions/${record.id}`);
    // The queue records the failure itself, perhaps a moment later.
    await work().catch(() => {});
    const failed = `select from graphile_worker.jobs where key = 'remove_files:' || $1 and last_error like '%silent%'`;
    await until(async () => (await pool.query(failed, [form.id])).rowCount === 1, { what: 'a failed job' });
    expect(await statusesOf(record)).toEqual([404, 404, 404]);
    expect(await kept(form)).toEqual(THREE);
    files.remove = remove;
    // The job would wait for its next attempt; the hourly purge removes the files sooner.
    await pool.query(`select graphile_worker.remove_job('remove_files:' || $1)`, [form.id]);
    await enqueue('purge_files');
    await work();
    expect(await kept(form)).toEqual(NONE);
  });

  async function enqueue(task: string): Promise<void> {
    await home.service.context.pool.query('select graphile_worker.add_job($1)', [task]);
  }

  /** Purges as if the form's files were this old. */
  async function purge(form: { id: number }, age: string): Promise<void> {
    const { pool } = home.service.context;
    await pool.query(
      'update uploads set touched_at = now() - $2::interval, created_at = now() - $2::interval where form_id = $1',
      [form.id, age],
    );
    await enqueue('purge_files');
    await work();
  }
});
