import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { UsageError } from '../../server/cli/command.ts';
import { run as doctor } from '../../server/cli/doctor.ts';
import { readConfig } from '../../server/config.ts';
import { clock } from '../../server/doctor/database.ts';
import { createExplain } from '../../server/doctor/explain.ts';
import { CheckTimeout, type Finding, ok, runCheck } from '../../server/doctor/finding.ts';
import { outboundChecks } from '../../server/doctor/outbound.ts';
import { settingsChecks } from '../../server/doctor/settings.ts';
import { space, whyNotWritten } from '../../server/doctor/storage.ts';
import { backup, outboundCalls } from '../../server/doctor/work.ts';
import { startBucket } from '../setup/bucket.ts';
import { waitForDisk } from '../setup/durability.ts';
import { aForm, aUser, aWorkspace } from '../setup/factories.ts';
import { documentOf, startOidcProvider } from '../setup/oidc-provider.ts';
import { startService, type TestService } from '../setup/service.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
/** Nothing listens there, since only root could. */
const REFUSED = '127.0.0.1:1';
const PASSWORD = 'hunter2/secret';
const WRITTEN_PASSWORD = encodeURIComponent(PASSWORD);

let service: TestService;
let healthy: Record<string, string>;
let databaseName: string;
const original = { ...process.env };
const servers: Server[] = [];

beforeAll(async () => {
  // As in an installation.
  await waitForDisk(inject('postgres') as pg.ClientConfig, true);
  service = await startService();
  const { host = '', port, user, database = '' } = service.context.connection as Record<string, string>;
  databaseName = database;
  healthy = {
    PORT: new URL(service.url).port,
    DATA_DIR: service.dataDir,
    DATABASE_URL: `postgres://${user}:${WRITTEN_PASSWORD}@${encodeURIComponent(host)}:${port}/${database}`,
  };
});
afterEach(() => {
  process.env = { ...original };
  for (const server of servers.splice(0)) server.close();
});
afterAll(async () => {
  await waitForDisk(inject('postgres') as pg.ClientConfig, false);
  await service.stop();
});

describe('a healthy installation', () => {
  test('passes every check, and the command exits with 0', async () => {
    const { code, lines, findings } = await examine({ BASE_URL: service.url });
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([]);
    expect(code).toBe(0);
    const sound = findings.filter(({ status }) => status === 'ok').map(({ check }) => check);
    expect(sound).toEqual(
      expect.arrayContaining([
        ...['settings', 'BASE_URL', 'service', 'public address', 'TRUST_PROXY'],
        ...['database', 'database version', 'database durability', 'database encoding', 'database clock'],
        ...['database connections', 'database size', 'database schema', 'DATA_DIR', 'webhook networks'],
        ...['deliveries', 'outbound calls', 'integrations', 'jobs', 'exports', 'backup', 'proxy headers'],
      ]),
    );
    expect(lines).toContain(`ok    service: answers at ${service.url}`);
    // Every line is a finding, or the remedy of the one above.
    expect(lines.filter((line) => !/^(ok {4}|warn {2}|fail {2}| {6})\S/.test(line))).toEqual([]);
    expect(lines).toHaveLength(findings.length + findings.filter(({ mend }) => mend !== null).length);
  });

  test('leaves nothing behind', async () => {
    const before = await readdir(service.dataDir);
    await examine();
    expect(await readdir(service.dataDir)).toEqual(before);
  });

  test('--json prints an array of what each check found', async () => {
    const { findings } = await examine();
    expect(findings.length).toBeGreaterThan(15);
    for (const finding of findings) {
      expect(Object.keys(finding).sort()).toEqual(['check', 'found', 'mend', 'status']);
      expect(finding.found).toMatch(/^[^\n]+$/);
      if (finding.status === 'ok') expect(finding.mend).toBeNull();
      else expect(finding.mend).toMatch(/^[^\n]+$/);
    }
    await expect(doctor(['--yaml'], silent)).rejects.toThrow(UsageError);
  });
});

describe('settings', () => {
  test('a bad one is named and ends the examination', async () => {
    const { code, findings } = await examine({ ROLES: 'everything' });
    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { check: 'settings', status: 'fail', found: 'ROLES must be `http`, `worker` or `http,worker`.' },
    ]);
  });

  test('links must lead somewhere, and in private', async () => {
    expect(await of('BASE_URL', { HOST: '0.0.0.0' })).toMatchObject({ status: 'fail' });
    const publicAddress = { BASE_URL: 'http://forms.example.org', REGISTRATION: 'open' };
    for (const check of settingsChecks(readConfig(publicAddress)).slice(0, 2))
      expect(await check.examine(), check.name).toMatchObject({ status: 'warn' });
  });

  test('the key must be whole and for its owner alone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'formstead-doctor-'));
    const file = join(folder, 'secret.key');
    const key = async () => of('secret key', { DATA_DIR: folder });
    try {
      expect(await key()).toMatchObject({ status: 'warn' });
      await writeFile(file, `${'a1'.repeat(32)}\n`, { mode: 0o600 });
      expect(await key()).toMatchObject({ status: 'warn', found: expect.stringContaining('do not share') });
      await chmod(file, 0o640);
      expect(await key()).toMatchObject({ status: 'fail', mend: `chmod 600 ${file}` });
      for (const damaged of ['a1a1\n', '', `SECRET_KEY=${'a1'.repeat(32)}\n`]) {
        await writeFile(file, damaged);
        expect(await key()).toMatchObject({ status: 'fail', mend: 'Restore it from the backup.' });
      }
      // Other checks that need the key do not report on its file.
      expect(await of('proxy headers', { DATA_DIR: folder, BASE_URL: service.url })).toMatchObject({
        found: 'not asked: the key of the service is not here',
      });
      expect(await of('secret key', { SECRET_KEY: 'b2'.repeat(32) })).toMatchObject({ status: 'ok' });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('public address', () => {
  test('nobody listens there', async () => {
    const { code, findings } = await examine({ BASE_URL: `http://${REFUSED}` });
    expect(code).toBe(1);
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'public address',
        status: 'fail',
        mend: expect.stringMatching(/^Corr/),
      }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: 'TRUST_PROXY', status: 'warn' }));
  });

  test('another program answers', async () => {
    const url = await serve(createServer((_request, response) => response.end('{"status":"fine"}')));
    expect(await of('public address', { BASE_URL: url })).toMatchObject({ status: 'fail' });
  });

  test('a service that does not run is no failure', async () => {
    const { code, findings } = await examine({ PORT: '1', BASE_URL: `http://${REFUSED}` });
    expect(findings).toContainEqual(expect.objectContaining({ check: 'service', status: 'warn' }));
    expect(findings).toContainEqual(expect.objectContaining({ check: 'public address', status: 'warn' }));
    expect(code).toBe(0);
  });

  test('names under which forms are to be found are asked, but for those with a star', async () => {
    expect(await of('FORM_DOMAINS', { FORM_DOMAINS: '*.forms.example.org' })).toMatchObject({ status: 'ok' });
    const asked = await of('FORM_DOMAINS', { FORM_DOMAINS: 'nobody.invalid' });
    expect(['warn', 'fail']).toContain(asked?.status);
  });

  test('a service that is asked for by another name of this machine has nothing before it', async () => {
    const at = (host: string, port = healthy.PORT) =>
      of('TRUST_PROXY', { BASE_URL: `http://${host}:${port}` });
    expect(await at('localhost')).toMatchObject({ status: 'ok' });
    expect(await at('localhost', '1')).toMatchObject({ status: 'warn' });
    expect(await at('forms.example.org')).toMatchObject({ status: 'warn' });
  });

  test('a proxy is told apart from every visitor', async () => {
    expect(await of('TRUST_PROXY', { TRUST_PROXY: '127.0.0.1/32' })).toMatchObject({ status: 'ok' });
    expect(await of('TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/0' })).toMatchObject({ status: 'warn' });
  });
});

describe('database', () => {
  test('a commit that does not wait for the disk', async () => {
    await query(`alter database ${databaseName} set synchronous_commit = off`);
    try {
      const finding = await of('database durability');
      expect(finding).toMatchObject({
        status: 'fail',
        mend: expect.stringContaining('synchronous_commit = on'),
      });
    } finally {
      await query(`alter database ${databaseName} reset synchronous_commit`);
    }
  });

  test('too few connections', async () => {
    await query(`alter database ${databaseName} connection limit 27`);
    try {
      expect(await of('database connections')).toMatchObject({ status: 'warn' });
    } finally {
      await query(`alter database ${databaseName} connection limit -1`);
    }
  });

  test('an older and a newer schema', async () => {
    const { rows } = await query('delete from schema_migrations returning *');
    const older = await of('database schema');
    await query(`insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`);
    const newer = await of('database schema');
    await query(`delete from schema_migrations`);
    for (const { name, checksum, applied_at } of rows)
      await query('insert into schema_migrations values ($1, $2, $3)', [name, checksum, applied_at]);
    expect(older).toMatchObject({ status: 'fail', mend: 'Run: formstead migrate' });
    expect(older?.found).toContain('0001_initial.sql');
    expect(newer).toMatchObject({ status: 'fail', found: expect.stringContaining('9999_later.sql') });
    expect(await of('database schema')).toMatchObject({ status: 'ok' });
  });

  test('one that does not answer skips what would be asked of it, and nothing else', async () => {
    const { code, findings } = await examine({
      DATABASE_URL: `postgres://a:${WRITTEN_PASSWORD}@${REFUSED}/a`,
    });
    const checks = findings.map(({ check }) => check);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database', status: 'fail' }));
    expect(checks).not.toContain('database version');
    expect(checks).not.toContain('deliveries');
    expect(checks).toContain('mail');
    expect(code).toBe(1);
  });

  test('a clock that is off by more than two seconds', () => {
    expect(clock(10_000, 9_000, 11_000).status).toBe('ok');
    expect(clock(13_000, 9_000, 11_000).status).toBe('ok');
    expect(clock(13_001, 9_000, 11_000).status).toBe('warn');
    expect(clock(6_999, 9_000, 11_000).status).toBe('warn');
  });
});

describe('storage', () => {
  test('a data directory that cannot be written', async () => {
    // Even root cannot write below a file.
    const file = join(service.dataDir, 'file');
    await writeFile(file, '');
    const { code, findings } = await examine({ DATA_DIR: join(file, 'data') });
    await rm(file);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'DATA_DIR', status: 'fail' }));
    expect(code).toBe(1);
  });

  test('a full disk, and one that takes no writes, is not a matter of rights', () => {
    expect(whyNotWritten(Object.assign(new Error(), { code: 'EROFS' }), '/data')).toMatchObject({
      status: 'fail',
      found: '/data is on a read-only disk',
    });
    for (const code of ['ENOSPC', 'EDQUOT'])
      expect(whyNotWritten(Object.assign(new Error(), { code }), '/data')).toMatchObject({
        status: 'fail',
        mend: 'Free some space.',
      });
    const denied = Object.assign(new Error(), { code: 'EACCES' });
    expect(() => whyNotWritten(denied, '/data')).toThrow(denied);
  });

  test('little space', () => {
    expect([2e9, 999e6, 99e6].map((bytes) => space(bytes).status)).toEqual(['ok', 'warn', 'fail']);
  });

  test('a bucket is written, read and left as it was', async () => {
    const calls: string[] = [];
    const { env, server, close } = await startBucket();
    server.on('request', ({ method = '' }) => calls.push(method));
    try {
      expect(await of('bucket', env)).toMatchObject({ status: 'ok' });
      expect(calls).toEqual(['PUT', 'GET', 'DELETE']);
      expect(await of('bucket', { ...env, S3_SECRET_ACCESS_KEY: PASSWORD })).toMatchObject({
        status: 'fail',
      });
    } finally {
      await close();
    }
    const denied = createServer((_request, response) => response.writeHead(403).end());
    expect(await of('bucket', { ...env, S3_ENDPOINT: await serve(denied) })).toMatchObject({
      status: 'fail',
    });
  });
});

describe('single sign-on', () => {
  test('is told of where a provider is set up: what to register there, and what does not fit', async () => {
    expect(await of('single sign-on')).toBeUndefined();
    const provider = await startOidcProvider();
    const examined = (env = {}) => of('single sign-on', { ...provider.env, BASE_URL: service.url, ...env });
    const register = `register ${service.url}/auth/oidc/callback there as redirect URI`;
    const host = new URL(provider.issuer).host;
    expect(await examined()).toEqual({
      check: 'single sign-on',
      status: 'ok',
      found: `${host} answers; ${register}`,
      mend: null,
    });
    expect(await examined({ OIDC_ISSUER: `${provider.issuer}/realms/staff` })).toMatchObject({
      status: 'fail',
      mend: expect.stringContaining(`${provider.issuer}/realms/staff/.well-known/openid-configuration`),
    });
    const answer = (change: object) => {
      const text = JSON.stringify({ ...documentOf(provider.issuer), ...change });
      provider.instead.discovery = (response) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    };
    answer({ issuer: `${provider.issuer}/other` });
    expect(await examined()).toMatchObject({ status: 'fail', found: expect.stringContaining('issuer') });
    answer({ code_challenge_methods_supported: ['plain'] });
    expect(await examined()).toMatchObject({ status: 'warn', found: expect.stringContaining('S256') });
    await provider.close();
    expect(await examined()).toMatchObject({ status: 'fail', found: `connect ECONNREFUSED ${host}` });
  });
});

describe('mail and outbound calls', () => {
  test('a mail server that refuses, and none at all', async () => {
    expect(await of('mail')).toMatchObject({ status: 'warn' });
    const { code, findings } = await examine({ SMTP_URL: `smtp://ada:${WRITTEN_PASSWORD}@${REFUSED}` });
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'mail',
        status: 'fail',
        found: expect.stringContaining('ECONNREFUSED'),
      }),
    );
    expect(findings).toContainEqual(expect.objectContaining({ check: 'MAIL_FROM', status: 'warn' }));
    expect(code).toBe(1);
  });

  test('networks are shown, and too wide ones complained of', async () => {
    expect((await of('webhook networks', { WEBHOOK_ALLOWED_NETWORKS: '10.0.0.0/8' }))?.found).toContain(
      '10.0.0.0/8',
    );
    expect(await of('webhook networks', { WEBHOOK_ALLOWED_NETWORKS: '::/0' })).toMatchObject({
      status: 'warn',
    });
    // A service behind a proxy listens on loopback too, but is no trial on somebody's own machine.
    const behindProxy = { HOST: '127.0.0.1', BASE_URL: 'https://forms.example.org' };
    expect(await of('webhook networks', behindProxy)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('programs of this machine'),
    });
    const closed = { ...behindProxy, WEBHOOK_ALLOWED_NETWORKS: '' };
    expect(await of('webhook networks', closed)).toMatchObject({ status: 'ok' });
  });

  test('a captcha service that does not answer', async () => {
    const keys = { HCAPTCHA_SITE_KEY: 'site', HCAPTCHA_SECRET_KEY: 'secret' };
    const url = await serve(createServer((_request, response) => response.writeHead(405).end()));
    expect(await of('captcha', { ...keys, HCAPTCHA_VERIFY_URL: url })).toMatchObject({ status: 'ok' });
    const dead = { ...keys, HCAPTCHA_VERIFY_URL: `http://${REFUSED}` };
    expect(await of('captcha', dead)).toMatchObject({
      status: 'fail',
      mend: expect.stringContaining('mirror'),
    });
    expect(await of('captcha')).toBeUndefined();
  });

  test('attempts of which none was answered point at the way out', () => {
    const none = { made: 5, answered: 0, failure: 'dns_failed' };
    expect(outboundCalls(none)).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('dns_failed'),
    });
    expect(outboundCalls({ ...none, made: 4 }).status).toBe('ok');
    expect(outboundCalls({ ...none, answered: 1 }).status).toBe('ok');
    expect(outboundCalls({ made: 0, answered: 0, failure: null }).status).toBe('ok');
  });

  test('the names in the settings are looked up, and no others', () => {
    const checks = (env: Record<string, string>) => outboundChecks(readConfig(env)).map(({ mend }) => mend);
    const names = checks({
      BASE_URL: 'https://forms.example.org',
      SMTP_URL: 'smtp://mail.example.org',
      DATABASE_URL: 'postgres://%2Fvar%2Frun/formstead',
      S3_BUCKET: 'b',
      S3_ENDPOINT: 'https://forms.example.org:9000',
    });
    expect(names.slice(1)).toEqual([
      expect.stringContaining('forms.example.org'),
      expect.stringContaining('mail.example.org'),
    ]);
    expect(checks({ BASE_URL: 'http://localhost:3000', SMTP_URL: 'smtp://[::1]' })).toHaveLength(1);
  });
});

test('addresses of earlier versions that are not written as mail is sent to them are listed', async () => {
  const ada = await aUser(service);
  expect((await of('accounts'))?.status).toBe('ok');
  await query(`update users set email = 'boss@İbm.example' where id = ${ada.id}`);
  await query(
    `insert into workspace_invites (workspace_id, email, role, status, token_hash, token_encrypted, valid_until)
     values ($1, 'jürgen@ＩＢＭ.example', 'user', 'pending', 'x', '', now()), ($1, 'jürgen@ibm.example', 'user', 'pending', 'y', '', now())`,
    [await aWorkspace(service, ada)],
  );
  expect(await of('accounts')).toMatchObject({
    status: 'warn',
    found: 'not written as mail is sent to it: boss@İbm.example, invite of jürgen@ＩＢＭ.example',
    mend: expect.stringContaining('formstead user set-email'),
  });
});

describe('work', () => {
  test('what has been waiting or has failed is counted', async () => {
    const ada = await aUser(service);
    const form = await aForm(service, ada, await aWorkspace(service, ada));
    // Inactive until the rows are made, so that the service does not send them.
    const { rows } = await query(
      `insert into integrations (form_id, integration_id, status, inactive_reason)
       values ($1, 'webhook', 'inactive', 'gone'), ($1, 'webhook', 'active', null) returning id, status`,
      [form.id],
    );
    const active = rows.find(({ status }) => status === 'active').id;
    await query(
      `insert into deliveries (form_id, integration_id, submission_id, body, next_attempt_at, leased_until)
       values ($1, $2, 1, '{}', now() - interval '11 minutes', now() + interval '1 hour')`,
      [form.id, active],
    );
    await query(
      `with mail as (insert into integrations (form_id, integration_id, status) values ($1, 'email', 'active') returning id)
       insert into deliveries (form_id, integration_id, submission_id, body, next_attempt_at, leased_until)
       select $1, id, 1, '{}', now() - interval '1 hour', now() + interval '1 hour' from mail`,
      [form.id],
    );
    await query(`select graphile_worker.add_job('nobody_knows', run_at => now() - interval '11 minutes')`);
    await query(`insert into export_jobs (job_id, form_id, status, columns, leased_until)
      values ('stuck', ${form.id}, 'processing', '[]', now() - interval '11 minutes')`);
    const { code, findings } = await examine();
    const found = (check: string) => findings.find((finding) => finding.check === check);
    expect(found('deliveries')).toMatchObject({
      status: 'warn',
      found: '2 to send, the oldest due for 11 minutes',
    });
    // Deliveries by mail wait as well while the mail server cannot be reached.
    expect(await of('deliveries', { SMTP_URL: 'smtp://127.0.0.1:1' })).toMatchObject({
      found: '2 to send, the oldest due for 60 minutes',
    });
    expect(found('integrations')).toMatchObject({ status: 'warn', found: expect.stringMatching(/^1 made/) });
    expect(found('jobs')).toMatchObject({ status: 'warn', found: '1 nobody_knows late' });
    expect(found('exports')).toMatchObject({ status: 'warn', found: '1 nobody works on' });
    expect(code).toBe(0);
    await query(
      `update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'secret answer'
       where task_id = (select id from graphile_worker._private_tasks where identifier = 'nobody_knows')`,
    );
    expect(await of('jobs')).toMatchObject({ found: '1 nobody_knows given up' });
  });
});

describe('backup', () => {
  test('none is no complaint, an old one is, one without all files too', async () => {
    expect(await of('backup')).toMatchObject({ status: 'ok', found: 'none was made by formstead backup' });
    await query(`insert into backups (taken_at, bytes) values (now() - interval '8 days', 1)`);
    expect(await of('backup')).toMatchObject({ status: 'warn', found: 'the last one is 8 days old' });
    await query(
      `insert into backups (taken_at, bytes, files_missing) values (now() - interval '1 hour', 1, 2)`,
    );
    expect(await of('backup')).toMatchObject({
      status: 'warn',
      found: expect.stringContaining('2 files were missing'),
    });
    await query(`insert into backups (taken_at, bytes) values (now(), 1)`);
    expect(await of('backup')).toMatchObject({ status: 'ok' });
    await query('delete from backups');
    expect(backup({ ageSeconds: 7 * 86_400 - 1, missingFiles: 0 }, false).status).toBe('ok');
    expect(backup({ ageSeconds: 7 * 86_400, missingFiles: 0 }, false).status).toBe('warn');
  });

  test('a database that was encrypted with another key', async () => {
    expect(await of('database key')).toMatchObject({ found: expect.stringContaining('of this database') });
    expect(await of('database key', { SECRET_KEY: 'd4'.repeat(32) })).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('SECRET_KEY is not the key'),
    });
    const { rows } = await query('delete from secret_key returning fingerprint');
    expect(await of('database key')).toMatchObject({ status: 'ok', found: expect.stringContaining('none') });
    await query('insert into secret_key (fingerprint) values ($1)', [rows[0].fingerprint]);
  });

  test('a restore that was interrupted', async () => {
    await query(`insert into schema_migrations (name, checksum) values ('restore-unfinished', '')`);
    const finding = await of('database schema');
    await query(`delete from schema_migrations where name = 'restore-unfinished'`);
    expect(finding).toMatchObject({ status: 'fail', found: expect.stringContaining('interrupted') });
  });
});

describe('the report', () => {
  test('holds nothing secret, whatever fails', async () => {
    const key = 'c3'.repeat(32);
    const { output } = await examine({
      SECRET_KEY: key,
      BASE_URL: `http://${REFUSED}`,
      DATABASE_URL: `postgres://ada:${WRITTEN_PASSWORD}@${REFUSED}/forms`,
      SMTP_URL: `smtp://ada:${WRITTEN_PASSWORD}@${REFUSED}`,
      S3_BUCKET: 'b',
      S3_ENDPOINT: `http://${REFUSED}`,
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: PASSWORD,
      OIDC_ISSUER: `http://${REFUSED}`,
      OIDC_CLIENT_ID: 'formstead',
      OIDC_CLIENT_SECRET: PASSWORD,
    });
    for (const secret of [PASSWORD, WRITTEN_PASSWORD, key]) expect(output).not.toContain(secret);
    expect(output).toContain('fail  mail:');
    expect(output).toContain('fail  bucket:');
    expect((await examine()).output).not.toContain(PASSWORD);
  });

  test('what servers repeat is taken out of their errors, which stay on one line', () => {
    const config = readConfig({ SMTP_URL: `smtp://ada:${WRITTEN_PASSWORD}@mail.example.org` });
    const explain = createExplain(config);
    expect(explain(new Error(`no "${PASSWORD}"\n\u001b[31m(${WRITTEN_PASSWORD})`))).toBe(
      'no "***" [31m(***)',
    );
    expect(explain(Object.assign(new Error(''), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
  });

  test('waits for no check for ever, and survives one that throws', async () => {
    const explain = (error: unknown) => `${error instanceof CheckTimeout}`;
    const check = (examine: () => any) => ({ name: 'it', mend: 'Mend it.', examine });
    expect(
      await runCheck(
        check(() => new Promise(() => {})),
        explain,
        10,
      ),
    ).toEqual({
      check: 'it',
      status: 'fail',
      found: 'true',
      mend: 'Mend it.',
    });
    const thrower = check(() => {
      throw new Error('broken');
    });
    expect(await runCheck(thrower, explain, 10)).toMatchObject({ status: 'fail', found: 'false' });
    expect(
      await runCheck(
        check(() => ok('well')),
        explain,
        10,
      ),
    ).toMatchObject({ status: 'ok' });
  });
});

test('with the embedded database: before the first start, stopped and running', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'formstead-doctor-'));
  const { DATABASE_URL: _, BASE_URL: __, ...rest } = original;
  const env = { ...rest, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' };
  const formstead = async (...args: string[]) =>
    (await promisify(execFile)(process.execPath, [MAIN, ...args], { env })).stdout;
  let running: ChildProcess | undefined;
  try {
    expect(await formstead('doctor')).toMatch(/^warn {2}database: there is none/m);
    expect(await readdir(dataDir)).toEqual([]);

    await formstead('user', 'create', '--email', 'ada@example.com', '--name', 'Ada');
    expect(await formstead('doctor')).toMatch(/^ok {4}database schema/m);
    expect(await readdir(dataDir)).toEqual(['postgres']);

    const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    running = child;
    const lines = createInterface({ input: child.stdout });
    await once(lines, 'line');
    expect(await formstead('doctor')).toMatch(/^ok {4}jobs/m);
    expect(child.exitCode).toBeNull();
  } finally {
    if (running?.exitCode === null && running.kill('SIGTERM')) await once(running, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
});

const silent = { out() {}, err() {} };

/** The report as text and as JSON, for the healthy installation with these settings changed. */
async function examine(env: Record<string, string> = {}) {
  const asText = await report([], env);
  const asJson = await report(['--json'], env);
  expect(asJson.code).toBe(asText.code);
  const findings: Finding[] = JSON.parse(asJson.lines.join('\n'));
  return { ...asText, findings, output: [...asText.lines, ...asJson.lines].join('\n') };
}

/** The finding of one check. */
async function of(check: string, env: Record<string, string> = {}): Promise<Finding | undefined> {
  const findings: Finding[] = JSON.parse((await report(['--json'], env)).lines.join('\n'));
  return findings.find((finding) => finding.check === check);
}

async function report(args: string[], env: Record<string, string>) {
  const lines: string[] = [];
  const { BASE_URL: _, ...rest } = original;
  process.env = { ...rest, ...healthy, ...env };
  const code = await doctor(args, { ...silent, out: (line) => lines.push(line) });
  return { code, lines };
}

/** @returns the address where it listens */
async function serve(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function query(text: string, values: unknown[] = []) {
  return service.context.pool.query(text, values);
}
