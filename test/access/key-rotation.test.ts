import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../../server/cli/command.ts';
import { find as findPerson } from '../../server/cli/person.ts';
import { run as rotateKeyCommand } from '../../server/cli/rotate-key.ts';
import { signBody, signingKeys } from '../../server/deliveries/signature.ts';
import { boxOf } from '../../server/key-rotation/key-files.ts';
import { rotateKey } from '../../server/key-rotation/rotate-key.ts';
import { SEALED_COLUMNS } from '../../server/key-rotation/sealed-columns.ts';
import { keyFileIn, makeKeyFile, nextKeyFileIn } from '../../server/secret-box.ts';
import { aForm, aUser, aWorkspace, TEXT_FIELD_ID, type TestUser } from '../setup/factories.ts';
import { inLine } from '../setup/meanwhile.ts';
import { runAllJobs } from '../setup/run-jobs.ts';
import { type SecondFactor, signIn, withSecondFactor } from '../setup/second-factor.ts';
import { startService, type TestService } from '../setup/service.ts';
import { KNOWN_KEY, useStripeServer } from '../setup/stripe-server.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../setup/webhook-receiver.ts';

const stripe = useStripeServer();
const quiet = () => ({
  ROLES: 'http',
  EXPORT_SYNC_LIMIT: '0',
  OUTBOUND_ALLOW_PRIVATE: 'true',
  STRIPE_API_URL: stripe.url,
});
const OLD = 'a'.repeat(64);
const NEW = 'b'.repeat(64);
const SECRET = 'a webhook secret of the old days';

/** Everything of a person that is encrypted. */
interface Belongings {
  user: TestUser;
  factor: SecondFactor;
  form: { id: number; slug: string };
  workspace: string;
  integration: string;
  invite: string;
  inviteLink: string;
  exportStatus: string;
  fileUrl: string;
}

let database: TestDatabase;
let dataDir: string;
let receiver: WebhookReceiver;
let running: TestService[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-rotation-'));
  receiver = await startWebhookReceiver();
});
afterEach(async () => {
  for (const service of running) await service.stop();
  running = [];
  await receiver.close();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
  delete process.env.DATABASE_URL;
  delete process.env.DATA_DIR;
  delete process.env.SECRET_KEY;
  delete process.env.NEW_SECRET_KEY;
});

/** A service on this database, to be stopped before the key is rotated. */
async function start(env: Record<string, string> = {}): Promise<TestService> {
  const service = await startService({ env: { ...quiet(), ...env }, database, dataDir });
  running.push(service);
  return service;
}

async function stop(service: TestService): Promise<void> {
  running = running.filter((one) => one !== service);
  await service.stop();
}

function rotate(): Promise<string[]> {
  return run(rotateKeyCommand);
}

/** The output of a command, on this database with the key of the environment. */
async function run(command: Command, ...args: string[]): Promise<string[]> {
  const { host, port, user, database: name } = database.connection as Record<string, string>;
  delete process.env.BASE_URL;
  process.env.DATABASE_URL = `postgres://${user}@${encodeURIComponent(host ?? '')}:${port}/${name}`;
  process.env.DATA_DIR = dataDir;
  const lines: string[] = [];
  await command(args, { out: (line) => lines.push(line), err: (line) => lines.push(line) });
  return lines;
}

async function fill(service: TestService): Promise<Belongings> {
  const user = await aUser(service);
  const workspace = await aWorkspace(service, user);
  const form = await aForm(service, user, workspace);
  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { token: user.token, body });
  const integration = await call('POST', `/open/forms/${form.id}/integrations`, {
    integration_id: 'webhook',
    status: 'active',
    data: { webhook_url: receiver.url, webhook_secret: SECRET, webhook_headers: { 'X-Team': 'blue' } },
  });
  const path = `/open/workspaces/${workspace}`;
  const added = await call('POST', `${path}/users/add`, { email: 'new@example.com', role: 'user' });
  await service.request('POST', `/forms/${form.slug}/answer`, { body: { [TEXT_FIELD_ID]: 'Marie' } });
  await call('PUT', `${path}/mail-server`, {
    ...{ host: 'mail.example.org', port: 465, security: 'tls', sender_address: 'team@example.org' },
    ...{ user_name: 'team', password: 'a password of the old days' },
  });
  stripe.reset();
  await call('PUT', `${path}/payments`, { stripe_secret_key: KNOWN_KEY });
  const job = await call('POST', `/open/forms/${form.id}/submissions/export`, { columns: { id: true } });
  await runAllJobs(service.context);
  const exportStatus = `/open/forms/${form.id}/submissions/export/status/${job.body.job_id}`;
  return {
    user,
    factor: await withSecondFactor(service, user),
    form,
    workspace: path,
    integration: `/open/forms/${form.id}/integrations/${integration.body.form_integration.id}`,
    invite: `${path}/invites/${added.body.invite.id}/resend`,
    inviteLink: added.body.invite_link,
    exportStatus,
    fileUrl: (await call('GET', exportStatus)).body.file_url,
  };
}

/** Checks that everything encrypted still has its value. */
async function expectIntact(service: TestService, things: Belongings): Promise<void> {
  const { user, factor } = things;
  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, { token: user.token, body });
  const secret = (link: string) => link.split('/').at(-1)?.split('invite_token=').at(-1);
  const invited = await call('POST', things.invite);
  expect(secret(invited.body.invite_link)).toBe(secret(things.inviteLink));
  const job = await call('GET', things.exportStatus);
  expect(secret(job.body.file_url)).toBe(secret(things.fileUrl));
  const { pending_token } = (await signIn(service, user)).body;
  const body = { pending_token, code: await factor.freshCode(service) };
  expect((await service.request('POST', '/login/second-factor', { body })).status).toBe(200);
  const tested = await call('POST', `${things.integration}/test`);
  expect(tested.status, tested.text).toBe(200);
  const delivery = receiver.requests.at(-1);
  expect(delivery?.headers['x-team']).toBe('blue');
  expect(delivery?.headers['x-webhook-signature']).toBe(signBody(signingKeys(SECRET), delivery?.body ?? ''));
}

describe('with the key in the environment', () => {
  let keeper: TestService;
  beforeEach(async () => {
    keeper = await start({ SECRET_KEY: OLD });
  });

  test('everything that was encrypted opens with the new key, and with the new key only', async () => {
    const things = await fill(keeper);
    await expectIntact(keeper, things);
    const { rows } = await keeper.context.pool.query(dumpOfSealed());
    await stop(keeper);
    process.env.SECRET_KEY = OLD;
    process.env.NEW_SECRET_KEY = NEW;
    expect((await rotate())[0]).toBe('Encrypted anew: 6.');

    const service = await start({ SECRET_KEY: NEW });
    await expectIntact(service, things);
    const after = (await service.context.pool.query(dumpOfSealed())).rows;
    expect(after).toHaveLength(6);
    for (const [index, row] of after.entries()) expect(row.sealed.equals(rows[index].sealed)).toBe(false);
    const [event] = (
      await service.context.pool.query(
        `select actor, details from audit_events where verb = 'secret_key.rotated'`,
      )
    ).rows;
    expect(event).toEqual({ actor: 'cli', details: { encrypted: 6, unreadable: 0 } });
    for (const [index, { sealed, id, name }] of after.entries()) {
      const purpose = SEALED_COLUMNS[index]?.purpose({ id, name }) ?? '';
      expect(boxOf(OLD).decrypt(sealed, purpose)).toBeNull();
      expect(boxOf(NEW).decrypt(sealed, purpose)).not.toBeNull();
    }
  });

  test('a second run, and a run with a foreign key, change nothing', async () => {
    await fill(keeper);
    await stop(keeper);
    process.env.SECRET_KEY = OLD;
    process.env.NEW_SECRET_KEY = NEW;
    await rotate();
    expect((await rotate())[0]).toBe('The database belongs to the new key already.');
    process.env.NEW_SECRET_KEY = 'c'.repeat(64);
    await expect(rotate()).rejects.toThrow('another key');
    process.env.SECRET_KEY = NEW;
    expect((await rotate())[0]).toBe('Encrypted anew: 6.');
  });

  test('a wrong old key changes nothing, also where nothing but what is encrypted tells of the right one', async () => {
    const things = await fill(keeper);
    await keeper.context.pool.query('delete from secret_key');
    await stop(keeper);
    process.env.SECRET_KEY = 'c'.repeat(64);
    process.env.NEW_SECRET_KEY = NEW;
    await expect(rotate()).rejects.toThrow('another key');
    process.env.SECRET_KEY = OLD;
    expect((await rotate())[0]).toBe('Encrypted anew: 6.');
    await expectIntact(await start({ SECRET_KEY: NEW }), things);
  });

  test('what was lost before stays as it is, and is counted', async () => {
    const things = await fill(keeper);
    await keeper.context.pool.query(`update integrations set secrets_encrypted = '\\x01020304'`);
    await stop(keeper);
    process.env.SECRET_KEY = OLD;
    process.env.NEW_SECRET_KEY = NEW;
    expect((await rotate()).slice(0, 2)).toEqual([
      'Encrypted anew: 5.',
      'Left as they were, because the old key does not open them: 1.',
    ]);
    const service = await start({ SECRET_KEY: NEW });
    const shown = await service.request('GET', things.integration, { token: things.user.token });
    expect(shown.status).toBe(200);
  });

  test('a service that starts meanwhile does not run with the former key', async () => {
    const { db, pool } = keeper.context;
    const [{ outcome }, failure] = await inLine(
      pool,
      (client) => client.query('lock table integrations in row exclusive mode'),
      [
        () => rotateKey(db, boxOf(OLD), boxOf(NEW)),
        () =>
          start({ SECRET_KEY: OLD }).then(
            () => null,
            (error: Error) => error.message,
          ),
      ],
    );
    expect(outcome).toBe('rotated');
    expect(failure).toContain('is not the one this database was encrypted with');
  });

  test('a service that has come since the first look, and knows the former key, is noticed', async () => {
    await stop(keeper);
    process.env.SECRET_KEY = OLD;
    process.env.NEW_SECRET_KEY = NEW;
    const pool = new pg.Pool(database.connection);
    const service = new pg.Client({ ...database.connection, application_name: 'formstead' });
    try {
      const [failure] = await inLine(
        pool,
        (client) => client.query('lock table integrations in row exclusive mode'),
        [() => rotate().catch((error: Error) => error.message)],
        () => service.connect(),
      );
      expect(failure).toContain('Stop every process');
      const { rows } = await pool.query('select fingerprint from secret_key');
      expect(rows).toEqual([{ fingerprint: boxOf(OLD).fingerprint }]);
    } finally {
      await service.end();
      await pool.end();
    }
  });

  test('a dump of the database that is being made does not hold it up', async () => {
    await fill(keeper);
    const { db } = keeper.context;
    const dump = new pg.Client(database.connection);
    await dump.connect();
    try {
      await dump.query('begin isolation level repeatable read read only');
      const { rows } = await dump.query(
        `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
      );
      await dump.query(`lock table ${rows.map(({ name }) => name).join(', ')} in access share mode`);
      expect(await rotateKey(db, boxOf(OLD), boxOf(NEW))).toMatchObject({ outcome: 'rotated' });
    } finally {
      await dump.end();
    }
  });

  test('interrupted in the database, all is as before', async () => {
    const things = await fill(keeper);
    const { db, pool } = keeper.context;
    const before = (await pool.query(dumpOfSealed())).rows;
    await pool.query(
      `alter table audit_events add constraint stop check (verb <> 'secret_key.rotated') not valid`,
    );
    await expect(rotateKey(db, boxOf(OLD), boxOf(NEW))).rejects.toThrow('stop');
    await pool.query('alter table audit_events drop constraint stop');
    expect((await pool.query(dumpOfSealed())).rows).toEqual(before);
    const { rows } = await pool.query('select fingerprint from secret_key');
    expect(rows).toEqual([{ fingerprint: boxOf(OLD).fingerprint }]);
    await expectIntact(keeper, things);
  });
});

describe('another key than that of the database', () => {
  const foreign = { SECRET_KEY: NEW };
  const line = 'The key in SECRET_KEY is not the one this database was encrypted with.';

  test('ends the start before anything is encrypted, and commands that would use it', async () => {
    await stop(await start({ SECRET_KEY: OLD }));
    await expect(start(foreign)).rejects.toThrow(line);
    // Without SECRET_KEY, the first start in a folder would make a new key file, of no use to this database.
    await expect(start()).rejects.toThrow(
      `There is no key in ${keyFileIn(dataDir)}, but this database was encrypted with one.`,
    );
    expect(await readdir(dataDir)).not.toContain('secret.key');
    process.env.SECRET_KEY = NEW;
    await expect(run(findPerson, '--value', 'ada@example.com')).rejects.toThrow(line);
    await start({ SECRET_KEY: OLD });
  });

  test('is told from what is encrypted where no start has noted the right one', async () => {
    const keeper = await start({ SECRET_KEY: OLD });
    const things = await fill(keeper);
    await keeper.context.pool.query('delete from secret_key');
    await stop(keeper);
    await expect(start(foreign)).rejects.toThrow(line);
    await expectIntact(await start({ SECRET_KEY: OLD }), things);
    await expect(start(foreign)).rejects.toThrow(line);
  });

  test('has no place beside it, however many start at once', async () => {
    const keys = [OLD, NEW, OLD, NEW, 'c'.repeat(64)];
    const starts = await Promise.allSettled(keys.map((SECRET_KEY) => start({ SECRET_KEY })));
    const started = keys.filter((_key, index) => starts[index]?.status === 'fulfilled');
    expect(started.length).toBeGreaterThan(0);
    expect(new Set(started).size).toBe(1);
  });

  test('takes the place of a lost one when the operator says so', async () => {
    const keeper = await start({ SECRET_KEY: OLD });
    const things = await fill(keeper);
    const { token } = things.user;
    const properties = [{ id: 'p1', type: 'payment', name: 'Fee', amount: 12.5, currency: 'EUR' }];
    const changed = await keeper.request('PUT', `/open/forms/${things.form.id}`, {
      token,
      body: { properties },
    });
    expect(changed.status, changed.text).toBe(200);
    await stop(keeper);
    process.env.SECRET_KEY = NEW;
    expect(await run(rotateKeyCommand, '--old-key-lost')).toEqual([
      'The database belongs to the key in SECRET_KEY.',
      'Accounts for payments disconnected, because it does not open their keys: 1. Admins can connect them again.',
      'Values that it does not open have to be entered again: 5.',
    ]);
    const service = await start(foreign);
    const shown = await service.request('GET', things.integration, { token: things.user.token });
    expect(shown.status).toBe(200);
    // A form that asks for money takes no answer that nobody could pay for, and its team is told.
    const refused = await service.request('POST', `/forms/${things.form.slug}/answer`, { body: {} });
    expect(refused.status, refused.text).toBe(503);
    expect(refused.body.error).toBe('payments_disconnected');
    const kinds = async () => {
      const { body } = await service.request('GET', `${things.workspace}/attention`, { token });
      return body.data.map(({ kind }: { kind: string }) => kind);
    };
    expect(await kinds()).toContain('payments_disconnected');
    const log = await service.request('GET', `${things.workspace}/audit-log?verb=payments`, { token });
    expect(log.body[0]).toMatchObject({ verb: 'payments.disconnected', actor: { kind: 'cli' } });
    await expect(start({ SECRET_KEY: OLD })).rejects.toThrow(line);
    process.env.NEW_SECRET_KEY = OLD;
    await expect(run(rotateKeyCommand, '--old-key-lost')).rejects.toThrow('unset NEW_SECRET_KEY');
  });
});

describe('with a key file', () => {
  let keeper: TestService;
  beforeEach(async () => {
    keeper = await start();
  });

  test('a new one takes its place', async () => {
    const things = await fill(keeper);
    await stop(keeper);
    const before = await readFile(keyFileIn(dataDir), 'utf8');
    await rotate();
    expect(await readFile(keyFileIn(dataDir), 'utf8')).not.toBe(before);
    await expect(access(nextKeyFileIn(dataDir))).rejects.toThrow('ENOENT');
    await expectIntact(await start(), things);
  });

  test('without the key of the database nothing is made or changed, and the message says where to put it', async () => {
    await fill(keeper);
    await stop(keeper);
    const place = keyFileIn(dataDir);
    await writeFile(place, `${NEW}\n`);
    await expect(rotate()).rejects.toThrow(
      `encrypted with another key than the one in ${place}. Nothing was changed. Put the right key there; if it is lost, see docs/security.md`,
    );
    await rm(place);
    await expect(rotate()).rejects.toThrow(
      `There is no key in ${place}. Put the key of this database there; if it is lost, see docs/security.md`,
    );
    await expect(start()).rejects.toThrow(`There is no key in ${place}, but`);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('secret.key'))).toEqual([]);
  });

  test('interrupted between database and file, the next start ends it', async () => {
    const things = await fill(keeper);
    const before = (await readFile(keyFileIn(dataDir), 'utf8')).trim();
    const next = await makeKeyFile(dataDir, nextKeyFileIn(dataDir));
    await rotateKey(keeper.context.db, boxOf(before), boxOf(next));
    await stop(keeper);
    const service = await start();
    expect((await readFile(keyFileIn(dataDir), 'utf8')).trim()).toBe(next);
    await expectIntact(service, things);
    await expect(access(nextKeyFileIn(dataDir))).rejects.toThrow('ENOENT');
  });

  test('interrupted there, running it again ends it too', async () => {
    const things = await fill(keeper);
    const before = (await readFile(keyFileIn(dataDir), 'utf8')).trim();
    const next = await makeKeyFile(dataDir, nextKeyFileIn(dataDir));
    await rotateKey(keeper.context.db, boxOf(before), boxOf(next));
    await stop(keeper);
    expect((await rotate())[0]).toBe('The database belongs to the new key already.');
    expect((await readFile(keyFileIn(dataDir), 'utf8')).trim()).toBe(next);
    await expectIntact(await start(), things);
  });

  test('interrupted before the database was changed, the old key stays in force until it is run again', async () => {
    const things = await fill(keeper);
    const before = (await readFile(keyFileIn(dataDir), 'utf8')).trim();
    const next = await makeKeyFile(dataDir, nextKeyFileIn(dataDir));
    await stop(keeper);
    const service = await start();
    expect((await readFile(keyFileIn(dataDir), 'utf8')).trim()).toBe(before);
    await expectIntact(service, things);
    await stop(service);
    await rotate();
    expect((await readFile(keyFileIn(dataDir), 'utf8')).trim()).toBe(next);
    await expectIntact(await start(), things);
  });
});

describe('every encrypted column', () => {
  test('is rotated', async () => {
    const { rows } = await (await start()).context.pool.query(
      `select table_name || '.' || column_name as name from information_schema.columns
       where table_schema = 'public' and column_name like '%encrypted%' order by 1`,
    );
    expect(rows.map(({ name }) => name)).toEqual(
      SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort(),
    );
  });
});

/** Everything encrypted, in the order of the list of encrypted columns. */
function dumpOfSealed(): string {
  const parts = SEALED_COLUMNS.map(
    ({ table, column, key, name = key }, index) =>
      `select ${index} as place, ${key} as id, ${name}::text as name, ${column} as sealed from ${table}
       where ${column} is not null`,
  );
  return `${parts.join(' union all ')} order by place`;
}
