import { createHmac, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { runMigrations as migrateJobQueue } from 'graphile-worker';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { carriedJobs } from '../../server/backup/carried-jobs.ts';
import { checkArchive } from '../../server/backup/read-archive.ts';
import { readConfig } from '../../server/config.ts';
import type { Context } from '../../server/context.ts';
import { type Database, openPool } from '../../server/db/database.ts';
import {
  apply,
  createMigrationTable,
  MigrationError,
  migrate,
  readMigrations,
} from '../../server/db/migrate.ts';
import { SCHEDULE } from '../../server/jobs/schedule.ts';
import { createTasks } from '../../server/jobs/tasks.ts';
import { keyPurpose } from '../../server/payments/account.ts';
import { openSecretBox } from '../../server/secret-box.ts';
import { type Bucket, startBucket } from '../setup/bucket.ts';
import { type Home, useHome } from '../setup/home.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { startService, type TestService } from '../setup/service.ts';
import { useSmtpServer } from '../setup/smtp-server.ts';
import { until } from '../setup/until.ts';
import { useWebhookReceiver } from '../setup/webhook-receiver.ts';
import { anEmptyPlace, backUp, type Place, putBack } from './places.ts';

const SECRET = 'a webhook secret of some length';

let folder: string;
const places: Place[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'formstead-backups-'));
});
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function aPlace(env: Record<string, string> = {}, encoding?: string): Promise<Place> {
  const place = await anEmptyPlace(env, encoding);
  places.push(place);
  return place;
}

const fileName = () => join(folder, `${randomBytes(6).toString('hex')}.tar.gz`);

describe('under load', () => {
  const home = useHome({ env: { EXPORT_SYNC_LIMIT: '0' } });
  const receiver = useWebhookReceiver();

  test('a backup is one moment; the copy holds it, sends nothing old, serves and goes on', async () => {
    const form = await home.form();
    // The second address always answers 503, so its deliveries wait.
    receiver.script([], (response, { path }) => response.writeHead(path === '/hook' ? 200 : 503).end());
    for (const path of ['/hook', '/never'])
      await home.call(
        'POST',
        `/open/forms/${form.id}/integrations`,
        webhook(receiver.url.replace('/hook', path)),
      );
    const load = startLoad(home, form);
    await until(() => load.acknowledged.size >= 30);
    const link = await anExport(home, form);
    const before = new Set(load.acknowledged);
    const [reviewed] = before;
    const review = `/open/forms/${form.id}/submissions/${reviewed}/review`;
    await home.call('POST', review, { state: 'approved', note: 'Fine.' });

    const backup = await backUp(home.service, fileName());
    await load.stop();
    // Everything that arrives from here on comes from the copy.
    await home.service.context.dispatcher.stop();
    const sent = new Set(load.acknowledged);
    expect(sent.size).toBeGreaterThan(before.size);
    expect((await stat(backup.path)).mode & 0o777).toBe(0o600);

    const place = await aPlace();
    const { held } = await putBack(place, backup.path);
    const { rows } = await place.query('select id, public_id, data from submissions');
    const restored = new Set(rows.map(({ public_id }) => public_id));
    expect([...before].filter((id) => !restored.has(id))).toEqual([]);
    expect([...restored].filter((id) => !sent.has(id))).toEqual([]);
    await expectSound(place);

    // Each waiting delivery says why it is no longer sent; nothing is sent twice.
    expect(held).toBeGreaterThan(0);
    const waiting = await place.query(`
      select deliveries.*, failure, failure_detail from deliveries
      join delivery_attempts using (form_id, integration_id)
      where delivery_id = deliveries.id and attempt = attempts and state = 'cancelled'`);
    expect(waiting.rows).toHaveLength(held);
    expect(waiting.rows[0]).toMatchObject({
      failure: 'restored',
      failure_detail: expect.stringMatching(/backup of/),
    });
    expect((await place.query(`select from deliveries where state = 'pending'`)).rowCount).toBe(0);

    const copy = await startService({ env: place.env, database: place.database, dataDir: place.dataDir });
    try {
      const received = receiver.requests.length;
      const answer = await copy.request('POST', `/forms/${form.slug}/answer`, { body: answerOf('new') });
      expect(answer.status).toBe(200);
      await until(() => receiver.requests.length >= received + 2);
      const fresh = receiver.requests.slice(received);
      for (const { body, headers } of fresh) {
        expect(body.toString()).toContain('"new"');
        expect(headers['x-webhook-signature']).toBe(signed(body));
      }
      // Reviews were restored, and can be continued.
      const token = home.ada.token;
      const more = await copy.request('POST', review, { token, body: { state: 'rejected' } });
      expect(more.body.review).toEqual({ state: 'rejected', notes: 1 });
      const { body } = await copy.request('GET', review, { token });
      expect(body.history).toMatchObject([{ state: 'approved', note: 'Fine.' }, { state: 'rejected' }]);
      // The list and the file of the export were restored, and the owner's token works.
      const listed = await copy.request('GET', `/open/forms/${form.id}/submissions`, {
        token: home.ada.token,
      });
      expect(listed.body.meta.total).toBe(restored.size + 1);
      const file = await copy.request('GET', new URL(link).pathname);
      expect(file.status).toBe(200);
      expect(file.text.split('\n').length).toBeGreaterThan(30);

      // Sent again by hand, a delivery keeps its id.
      const [first] = waiting.rows;
      const path = `/open/forms/${form.id}/integrations/${first.integration_id}/deliveries/${first.id}`;
      const log = await copy.request('GET', path, { token: home.ada.token });
      expect(log.body.attempt_log.at(-1)).toMatchObject({ failure: 'restored' });
      expect((await copy.request('POST', `${path}/replay`, { token: home.ada.token })).status).toBe(200);
      await until(() => receiver.requests.some(({ headers }) => headers['webhook-id'] === first.webhook_id));
    } finally {
      await copy.stop();
    }
  });
});

describe('with a mail server', () => {
  const smtp = useSmtpServer();
  const home = useHome(() => ({ env: { ROLES: 'http', SMTP_URL: smtp.url } }));

  test('mails to recipients that waited are not sent by a copy unless asked, and tell why', async () => {
    const form = await home.form();
    const path = `/open/forms/${form.id}/recipients`;
    await home.call('POST', path, { recipients: [{ email: 'bob@example.org' }, { name: 'Cleo' }] });
    const mails = { kind: 'invitation', subject: 'Hello', text: 'Please answer.' };
    expect((await home.call('POST', `${path}/mails`, mails)).body.queued).toBe(1);
    const backup = await backUp(home.service, fileName());

    for (const sendDeliveries of [false, true]) {
      const place = await aPlace({ ROLES: 'http', SMTP_URL: smtp.url });
      const { heldMails } = await putBack(place, backup.path, { sendDeliveries });
      expect(heldMails).toBe(sendDeliveries ? 0 : 1);
      const copy = await startService({ env: place.env, database: place.database, dataDir: place.dataDir });
      const sendMails = async () => {
        await copy.context.pool.query(`select graphile_worker.add_job('send_recipient_mails')`);
        await runAllJobs(copy.context);
        return smtp.mails.splice(0).flatMap(({ recipients }) => recipients);
      };
      try {
        expect(await sendMails()).toEqual(sendDeliveries ? ['bob@example.org'] : []);
        if (sendDeliveries) continue;
        const options = { token: home.ada.token };
        const { data } = (await copy.request('GET', path, options)).body;
        expect(data).toMatchObject([
          { status: 'failed', mail_problem: expect.stringMatching(/^Not sent: .* backup of /) },
          { status: 'new', mail_problem: null },
        ]);
        const again = await copy.request('POST', `${path}/mails`, { ...options, body: mails });
        expect(again.body.queued).toBe(1);
        expect(await sendMails()).toEqual(['bob@example.org']);
      } finally {
        await copy.stop();
      }
    }
  });
});

describe('the archive', () => {
  const home = useHome({ env: { ROLES: 'http' } });

  test('long tables and long files go on in further parts', async () => {
    const { context } = home.service;
    const form = await home.form();
    await context.pool.query(
      `with added as (
         insert into submissions (form_id, public_id, status, data)
         select $1, gen_random_uuid(), 'completed',
           jsonb_build_object('x', repeat(md5(n::text), 30), 'odd', E'\\t\\n\\\\ "é" 😀 ' || n)
         from generate_series(1, 6000) n)
       update form_counters set completed_count = 6000 where form_id = $1`,
      [form.id],
    );
    const content = randomBytes(9_000_000);
    await storeExport(home.service, form.id, 'exports/large.csv', content);
    await storeExport(home.service, form.id, 'exports/empty.csv', Buffer.alloc(0));
    await context.pool.query(
      `update export_jobs set file_name = 'exports/gone.csv' where file_name like '%empty%'`,
    );
    await storeExport(home.service, form.id, 'exports/empty.csv', Buffer.alloc(0));
    await context.files.remove('exports/gone.csv');

    const backup = await backUp(home.service, fileName());
    expect(backup.manifest.files).toEqual({ count: 2, bytes: 9_000_000 });
    expect(backup.manifest.missing_files).toEqual({ count: 1, names: ['exports/gone.csv'] });
    expect(backup.lines).toContain('missing: exports/gone.csv was deleted meanwhile, or is lost');

    const place = await aPlace();
    await putBack(place, backup.path);
    expect((await readFile(join(place.dataDir, 'files/exports/large.csv'))).equals(content)).toBe(true);
    expect((await stat(join(place.dataDir, 'files/exports/empty.csv'))).size).toBe(0);
    const digest = 'select md5(string_agg(submissions::text, chr(10) order by id)) as md5 from submissions';
    expect((await place.query(digest)).rows).toEqual((await context.pool.query(digest)).rows);
    await expectSound(place);
    await context.pool.query('delete from export_jobs');
  });

  test('every table is in it, row for row, but for what is made anew', async () => {
    await home.service.context.pool.query('insert into search_blocks values (0, 1, 2, null)');
    const backup = await backUp(home.service, fileName());
    const place = await aPlace();
    await putBack(place, backup.path, { sendDeliveries: true });
    const { rows } = await home.service.context.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    );
    expect(rows.length).toBeGreaterThan(15);
    for (const { name } of rows) {
      // A backup records itself only when it is finished.
      if (name === 'backups') continue;
      if (name === 'search_blocks') {
        expect((await place.query('select from search_blocks')).rowCount).toBe(0);
        continue;
      }
      const text = `select coalesce(md5(string_agg(t::text, chr(10) order by t::text)), '') as md5 from "${name}" t`;
      expect((await place.query(text)).rows, name).toEqual(
        (await home.service.context.pool.query(text)).rows,
      );
    }
    expect((await home.service.context.pool.query('select from backups')).rowCount).toBeGreaterThan(0);
  });

  test('what is damaged, cut off or something else is refused before anything is written', async () => {
    const { path } = await backUp(home.service, fileName());
    const whole = await readFile(path);
    const middle = Math.floor(whole.length / 2);
    // Eight bytes, since changing a single bit among the zeros of an archive may leave the content the same.
    const flipped = Buffer.from(whole);
    for (let at = middle; at < middle + 8; at++) flipped.writeUInt8(whole.readUInt8(at) ^ 0xff, at);
    const place = await aPlace();
    for (const bytes of [flipped, whole.subarray(0, middle), Buffer.from('hello'), Buffer.alloc(0)]) {
      const broken = fileName();
      await writeFile(broken, bytes);
      await expect(putBack(place, broken)).rejects.toThrow(/archive|backup/);
    }
    expect(
      (await place.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount,
    ).toBe(0);
    expect(await readdir(place.dataDir)).toEqual([]);
    await putBack(place, path);
  });

  test('an answer that was changed without damaging the compression is noticed', async () => {
    const { gunzipSync, gzipSync } = await import('node:zlib');
    const { path } = await backUp(home.service, fileName());
    const text = gunzipSync(await readFile(path));
    const at = text.indexOf('ada-');
    expect(at).toBeGreaterThan(0);
    text.write('eve-', at);
    const forged = fileName();
    await writeFile(forged, gzipSync(text));
    await expect(checkArchive(forged)).rejects.toThrow('checksum');
  });

  test('one that fails leaves nothing behind, and a name that is taken is not overwritten', async () => {
    const { path } = await backUp(home.service, fileName());
    await expect(backUp(home.service, path)).rejects.toThrow('there already');
    const elsewhere = join(folder, 'no-such-folder', 'b.tar.gz');
    await expect(backUp(home.service, elsewhere)).rejects.toThrow('ENOENT');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('the place', () => {
  const home = useHome({ env: { ROLES: 'http' } });

  test('must be empty: database, files and data directory', async () => {
    const { path } = await backUp(home.service, fileName());
    const place = await aPlace();
    await place.query('create table guestbook (line text)');
    await expect(putBack(place, path)).rejects.toThrow('database is not empty');
    await place.query('drop table guestbook');
    const store = await openStore(place);
    await store.write('exports/x.csv', Readable.from([Buffer.from('x')]));
    await expect(putBack(place, path)).rejects.toThrow('holds files already');
    await putBack(place, path, { keepFiles: true });
  });

  test.each([
    ['of another encoding', 'LATIN1', ''],
    ['whose search_path leads nowhere', 'UTF8', 'set search_path = missing'],
  ])('must not be one %s, and is left as it was then', async (_which, encoding, setting) => {
    const { path } = await backUp(home.service, fileName());
    const place = await aPlace({}, encoding);
    const { rows: database } = await place.query('select current_database() as name');
    if (setting) await place.query(`alter database ${database[0].name} ${setting}`);
    await expect(putBack(place, path)).rejects.toThrow(MigrationError);
    const { rows } = await place.query(
      `select count(*)::int from pg_class where relnamespace in ('public'::regnamespace, to_regnamespace('graphile_worker'))`,
    );
    expect(rows).toEqual([{ count: 0 }]);
  });

  test('must have the key of the backup, or say that it is lost', async () => {
    const { pool, secrets } = home.service.context;
    await pool.query(
      `insert into workspace_payment_accounts (workspace_id, mode, secret_key_encrypted) values ($1, 'live', $2)`,
      [home.workspaceId, secrets.encrypt('sk_live_12345678', keyPurpose(home.workspaceId))],
    );
    const { path, header } = await backUp(home.service, fileName(), false);
    expect(header.key).toBe('left out');
    const place = await aPlace();
    await expect(putBack(place, path)).rejects.toThrow('does not hold its key');
    await writeFile(join(place.dataDir, 'secret.key'), `${'ab'.repeat(32)}\n`);
    await expect(putBack(place, path)).rejects.toThrow('not the key of the backup');
    const original = await readFile(join(home.service.dataDir, 'secret.key'), 'utf8');
    await writeFile(join(place.dataDir, 'secret.key'), original);
    await putBack(place, path);

    const lost = await aPlace();
    // Nobody could pay with a key that nothing opens.
    const bereft = await putBack(lost, path, { withoutKey: true, sendDeliveries: true });
    expect(bereft.disconnected).toBe(1);
    expect((await lost.query('select from workspace_payment_accounts')).rowCount).toBe(0);
    const { fingerprint } = await openSecretBox(null, lost.dataDir);
    expect((await lost.query('select fingerprint from secret_key')).rows).toEqual([{ fingerprint }]);

    const kept = await aPlace();
    await writeFile(join(kept.dataDir, 'secret.key'), original);
    const same = await putBack(kept, path, { withoutKey: true, sendDeliveries: true });
    expect(same.disconnected).toBe(0);
    expect((await kept.query('select from workspace_payment_accounts')).rowCount).toBe(1);
    await pool.query('delete from workspace_payment_accounts');

    const withKey = await backUp(home.service, fileName());
    const other = await aPlace();
    await putBack(other, withKey.path);
    expect(await readFile(join(other.dataDir, 'secret.key'), 'utf8')).toBe(original);
    expect((await stat(join(other.dataDir, 'secret.key'))).mode & 0o777).toBe(0o600);
  });

  test('that was left half filled says so, and takes neither a service nor another restore', async () => {
    const form = await home.form();
    await storeExport(home.service, form.id, 'exports/one.csv', Buffer.from('one'));
    const { path } = await backUp(home.service, fileName());
    const place = await aPlace();
    // A file in place of the folder for files makes restoring the files fail.
    await writeFile(join(place.dataDir, 'files'), '');
    await expect(putBack(place, path, { keepFiles: true })).rejects.toThrow();
    const pool = openPool(place.database.connection, () => {}, { max: 2 });
    await expect(migrate(pool)).rejects.toThrow('interrupted');
    await pool.end();
    for (const keepFiles of [true, false])
      await expect(putBack(place, path, { keepFiles })).rejects.toThrow(
        `An earlier restore was interrupted here. Drop the database, create it again, ${keepFiles ? '' : `empty ${join(place.dataDir, 'files')}, `}and run formstead restore again.`,
      );
    await home.service.context.pool.query('delete from export_jobs');
  });
});

describe('versions', () => {
  const home = useHome({ env: { ROLES: 'http' } });

  test('a backup of a newer version is refused', async () => {
    const { pool } = home.service.context;
    await pool.query(`insert into schema_migrations (name, checksum) values ('9999_future.sql', 'x')`);
    const { path } = await backUp(home.service, fileName());
    await pool.query(`delete from schema_migrations where name = '9999_future.sql'`);
    const place = await aPlace();
    await expect(putBack(place, path)).rejects.toThrow('made by Formstead');
  });

  test('a backup of an older version is migrated', async () => {
    const old = await aPlace();
    const pool = openPool(old.database.connection, () => {}, { max: 2 });
    const client = await pool.connect();
    await createMigrationTable(client);
    const [first] = await readMigrations();
    if (first) await apply(client, first);
    await migrateJobQueue({ pgPool: pool });
    await client.query(
      `insert into users (name, email, password_hash) values ('Ada', 'ada@example.com', 'x')`,
    );
    client.release();
    await pool.end();
    const service = { context: { connection: old.database.connection, config: old.config } } as TestService;
    const { path, header } = await backUp(service, fileName());
    expect(header.migrations).toHaveLength(1);

    const place = await aPlace();
    await putBack(place, path);
    const { rows } = await place.query('select name from schema_migrations order by name');
    expect(rows.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name));
    expect((await place.query('select email from users')).rows).toEqual([{ email: 'ada@example.com' }]);
  });
});

describe('what waits', () => {
  const home = useHome({ env: { ROLES: 'http' } });

  test('background jobs go on; mail and deliveries only when asked for', async () => {
    const form = await home.form();
    await home.call('POST', `/open/forms/${form.id}/integrations`, webhook('https://example.com/hook'));
    await home.submit(form, answerOf('waiting'));
    const { pool } = home.service.context;
    await pool.query(
      `select graphile_worker.add_job('purge_form', '{"formId":4711}'), graphile_worker.add_job('send_invite', '{"inviteId":1}')`,
    );
    await pool.query(
      `insert into workspace_payment_accounts (workspace_id, mode, secret_key_encrypted) values ($1, 'live', '')`,
      [home.workspaceId],
    );
    const { path } = await backUp(home.service, fileName());
    const accounts = 'select workspace_id::int from workspace_payment_accounts';
    const waiting = `select identifier, payload from graphile_worker._private_jobs job
      join graphile_worker._private_tasks task on task.id = job.task_id order by 1`;
    const states = 'select state, attempts from deliveries';

    const quiet = await aPlace();
    expect(await putBack(quiet, path)).toMatchObject({ held: 1, jobs: 1, disconnected: 1 });
    expect((await quiet.query(accounts)).rows).toEqual([]);
    expect((await quiet.query(waiting)).rows).toEqual([
      { identifier: 'purge_form', payload: { formId: 4711 } },
    ]);
    expect((await quiet.query(states)).rows).toEqual([{ state: 'cancelled', attempts: 1 }]);

    const loud = await aPlace();
    expect(await putBack(loud, path, { sendDeliveries: true })).toMatchObject({ held: 0, jobs: 2 });
    expect((await loud.query(states)).rows).toEqual([{ state: 'pending', attempts: 0 }]);
    expect((await loud.query(accounts)).rows).toEqual([{ workspace_id: home.workspaceId }]);
  });
});

test('of every background job it is known what becomes of it in a copy', async () => {
  const clocked = SCHEDULE.map(({ task }) => task);
  const known = [...clocked, ...carriedJobs(true)].sort();
  const tasks = createTasks({ config: readConfig({}) } as Context, {} as Database);
  expect(known).toEqual(Object.keys(tasks).sort());
});

describe('a bucket', () => {
  let bucket: Bucket;
  const home = useHome(async () => {
    bucket = await startBucket('b');
    return { env: { ...bucket.env, ROLES: 'http' } };
  });
  afterAll(() => bucket?.close());

  test('gives its files to the backup and takes them back, unless it still has them', async () => {
    const form = await home.form();
    const content = randomBytes(6_000_000);
    await storeExport(home.service, form.id, 'exports/one.csv', content);
    const { path, manifest } = await backUp(home.service, fileName());
    expect(manifest.files).toEqual({ count: 1, bytes: content.length });

    // The bucket still has the files: another installation must not share them, but the same one may use them after a loss.
    await expect(putBack(await aPlace(bucket.env), path)).rejects.toThrow('bucket b holds files');
    await putBack(await aPlace(bucket.env), path, { keepFiles: true });

    await home.service.context.files.remove('exports/one.csv');
    await putBack(await aPlace(bucket.env), path);
    const found = await home.service.context.files.read('exports/one.csv');
    expect(found && (await buffer(found)).equals(content)).toBe(true);
  });

  test('a connection that breaks in the middle of a file is made again', async () => {
    const { context } = home.service;
    const form = await home.form();
    const content = randomBytes(200_000);
    await storeExport(home.service, form.id, 'exports/two.csv', content);
    let reads = 0;
    const files = {
      ...context.files,
      async read(name: string) {
        const whole = await context.files.read(name);
        if (whole === null || !name.endsWith('two.csv') || ++reads > 1) return whole;
        const bytes = await buffer(whole);
        return Readable.from(
          (async function* () {
            yield bytes.subarray(0, 70_000);
            throw new Error('the connection broke');
          })(),
          { objectMode: false },
        );
      },
    };
    const { makeBackup } = await import('../../server/backup/make-backup.ts');
    const key = { text: null, state: 'none', check: null } as const;
    const { path } = await makeBackup(context.connection, { files, key }, fileName(), { tell() {} });
    expect(reads).toBe(2);
    const place = await aPlace();
    await putBack(place, path);
    expect((await readFile(join(place.dataDir, 'files/exports/two.csv'))).equals(content)).toBe(true);
  });
});

function answerOf(name: string) {
  return { '3700d380-0000-4000-8000-000000000001': name };
}

function webhook(url: string) {
  return { integration_id: 'webhook', status: 'active', data: { webhook_url: url, webhook_secret: SECRET } };
}

function signed(body: Buffer): string {
  return `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
}

/** Submits again and again, eight at a time. */
function startLoad(home: Home, form: { slug: string }) {
  const acknowledged = new Set<string>();
  let isStopping = false;
  let count = 0;
  const lanes = Array.from({ length: 8 }, async () => {
    while (!isStopping) {
      const answer = await home.submit(form, answerOf(`person ${++count}`));
      if (answer.status === 200) acknowledged.add(answer.body.submission_id);
    }
  });
  return {
    acknowledged,
    async stop() {
      isStopping = true;
      await Promise.all(lanes);
    },
  };
}

/** @returns the link to a finished export */
async function anExport(home: Home, form: { id: number }): Promise<string> {
  const path = `/open/forms/${form.id}/submissions/export`;
  const { job_id } = (await home.call('POST', path, { columns: { id: true } })).body;
  return until(async () => (await home.call('GET', `${path}/status/${job_id}`)).body.file_url);
}

/** A finished export with a file of this content. */
async function storeExport(
  { context }: TestService,
  formId: number,
  name: string,
  content: Buffer,
): Promise<void> {
  await context.files.write(name, Readable.from([content]));
  await context.pool.query(
    `insert into export_jobs (job_id, form_id, status, columns, file_name, expires_at)
     values ($1, $2, 'completed', '[]', $3, now() + interval '1 day')`,
    [randomBytes(8).toString('hex'), formId, name],
  );
}

async function openStore({ config }: Place) {
  const { openFileStore } = await import('../../server/files/file-store.ts');
  return openFileStore(config);
}

/** Checks that counters agree with rows, deliveries with submissions, and that sequences are ahead of both. */
async function expectSound(place: Place): Promise<void> {
  const wrong = await place.query(`
    select form_id from form_counters
    where completed_count <> (select count(*) from submissions s where s.form_id = form_counters.form_id and status = 'completed')
      or partial_count <> (select count(*) from submissions s where s.form_id = form_counters.form_id and status = 'partial')`);
  expect(wrong.rows).toEqual([]);
  const orphans = await place.query(`
    select id from deliveries d where not exists (
      select from submissions s where s.form_id = d.form_id and s.id = d.submission_id)`);
  expect(orphans.rows).toEqual([]);
  const behind = await place.query(`
    select (select last_value from submission_ids) >= (select coalesce(max(id), 0) from submissions) as submissions,
      (select last_value from delivery_ids) >= (select coalesce(max(id), 0) from deliveries) as deliveries,
      (select last_value from forms_id_seq) >= (select coalesce(max(id), 0) from forms) as forms`);
  expect(behind.rows).toEqual([{ submissions: true, deliveries: true, forms: true }]);
  const unchecked = await place.query('select conname from pg_constraint where not convalidated');
  expect(unchecked.rows).toEqual([]);
}
