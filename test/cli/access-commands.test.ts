import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { run as audit } from '../../server/cli/audit.ts';
import { type Command, UsageError } from '../../server/cli/command.ts';
import { run as rotateKey } from '../../server/cli/rotate-key.ts';
import { run as createToken } from '../../server/cli/token-create.ts';
import { run as createUser } from '../../server/cli/user-create.ts';
import { run as deleteUser } from '../../server/cli/user-delete.ts';
import { run as resetSecondFactor } from '../../server/cli/user-reset-2fa.ts';
import { run as setEmail } from '../../server/cli/user-set-email.ts';
import { run as setPassword } from '../../server/cli/user-set-password.ts';
import { aUser, aWorkspace } from '../setup/factories.ts';
import { signIn, withSecondFactor } from '../setup/second-factor.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;
beforeAll(async () => {
  // The test runner sets it for its own use, to a value that is no address.
  delete process.env.BASE_URL;
  service = await startService({ env: { ROLES: 'http' } });
  const { host, port, user, database } = service.context.connection as Record<string, string>;
  process.env.DATABASE_URL = `postgres://${user}@${encodeURIComponent(host ?? '')}:${port}/${database}`;
  process.env.DATA_DIR = service.dataDir;
});
afterAll(() => service.stop());

describe('user reset-2fa', () => {
  test('lets somebody who lost everything sign in with the password again', async () => {
    const user = await aUser(service);
    await withSecondFactor(service, user);
    const pending = await signIn(service, user);
    expect(pending.status).toBe(202);
    const tryCode = () =>
      service.request('POST', '/login/second-factor', {
        body: { pending_token: pending.body.pending_token, code: 'lost' },
      });
    for (let turn = 0; turn < 5; turn++) expect((await tryCode()).status).toBe(422);
    await wait(`second-factor:${user.id}`);
    expect((await tryCode()).status).toBe(429);
    expect(await output(resetSecondFactor, '--email', user.email.toUpperCase())).toHaveLength(1);
    expect((await signIn(service, user)).status).toBe(200);
    // Earlier failed codes do not stop the person from confirming a new factor.
    await withSecondFactor(service, user);
    expect(await output(resetSecondFactor, '--email', user.email)).toHaveLength(1);
    const { rows } = await service.context.pool.query(
      `select actor, verb, target_id from audit_events where verb = 'second_factor.reset'`,
    );
    expect(rows).toEqual(Array(2).fill({ actor: 'cli', verb: 'second_factor.reset', target_id: user.id }));
    await expect(output(resetSecondFactor, '--email', user.email)).rejects.toThrow(
      'Second factor not found.',
    );
    await expect(output(resetSecondFactor, '--email', 'no@example.com')).rejects.toThrow(
      'Account not found.',
    );
    await expect(output(resetSecondFactor)).rejects.toThrow(UsageError);
  });
});

describe('user set-email', () => {
  test('gives an account another address, and leaves its sessions', async () => {
    const [user, other] = [await aUser(service), await aUser(service)];
    const email = 'operated@example.org';
    const from = ['--email', user.email.toUpperCase()];
    expect(await output(setEmail, ...from, '--new-email', email)).toEqual([`Address set: ${email}`]);
    expect((await signIn(service, user)).status).toBe(422);
    expect((await signIn(service, { ...user, email })).status).toBe(200);
    expect((await service.request('GET', '/user', { cookie: user.cookie })).body.email).toBe(email);
    const { rows } = await service.context.pool.query(
      `select actor, target_id, details from audit_events where verb = 'account.email_changed'`,
    );
    expect(rows).toEqual([{ actor: 'cli', target_id: user.id, details: { from: user.email, to: email } }]);
    await expect(output(setEmail, ...from, '--new-email', email)).rejects.toThrow('Account not found.');
    await expect(output(setEmail, '--email', email, '--new-email', other.email)).rejects.toThrow(
      'The email has already been taken.',
    );
    await expect(output(setEmail, '--email', email, '--new-email', 'x')).rejects.toThrow(
      '--new-email is not an e-mail address.',
    );
    await expect(output(setEmail, '--email', email)).rejects.toThrow(UsageError);
  });
});

describe('user set-password', () => {
  test('lets somebody who forgot it sign in again, and ends their sessions', async () => {
    const user = await aUser(service);
    // Failed guesses before the operator is asked.
    for (let turn = 0; turn < 5; turn++)
      expect((await signIn(service, { ...user, password: 'forgotten' })).status).toBe(422);
    await wait(`account:${user.email}`);
    expect((await signIn(service, user)).status).toBe(429);
    expect(await output(setPassword, '--email', user.email, '--password', 'another horse')).toEqual([
      `Password set: ${user.email}`,
    ]);
    expect((await signIn(service, user)).status).toBe(422);
    expect((await signIn(service, { ...user, password: 'another horse' })).status).toBe(200);
    expect((await service.request('GET', '/user', { cookie: user.cookie })).status).toBe(401);
    const [, made = ''] = await output(setPassword, '--email', user.email.toUpperCase());
    const password = made.replace('Password: ', '');
    expect((await signIn(service, { ...user, password })).status).toBe(200);
    const { rows } = await service.context.pool.query(
      `select actor, target_id from audit_events where verb = 'account.password_changed'`,
    );
    expect(rows).toEqual(Array(2).fill({ actor: 'cli', target_id: user.id }));
    await expect(output(setPassword, '--email', 'no@example.com')).rejects.toThrow('Account not found.');
    await expect(output(setPassword, '--email', user.email, '--password', 'short')).rejects.toThrow(
      UsageError,
    );
  });
});

describe('audit', () => {
  test('prints what the operator and everybody else did, workspaces that are gone included', async () => {
    await output(createUser, '--email', 'op@example.com', '--name', 'Olga', '--password', 'long enough');
    await output(createToken, '--email', 'op@example.com', '--name', 'CI', '--abilities', 'forms-read');
    await output(deleteUser, '--email', 'op@example.com', '--with-workspaces');
    const [head = '', ...lines] = await output(audit, '--limit', '5');
    expect(head.split('\t')).toEqual([
      'id',
      'when',
      'who',
      'from',
      'what',
      'workspace',
      'form',
      'of',
      'details',
    ]);
    expect(lines.map((line) => line.split('\t').slice(2, 5))).toEqual([
      ['cli', '', 'account.deleted'],
      ['cli', '', 'workspace.deleted'],
      ['cli', '', 'token.created'],
      ['cli', '', 'workspace.created'],
      ['cli', '', 'account.created'],
    ]);
    expect(lines[1]).toContain('My Workspace (');
    expect(lines[0]).toContain('Olga (');
  });

  test('filters, and prints JSON', async () => {
    const user = await aUser(service, { name: 'Zoe' });
    await service.context.pool.query('update users set name = $2 where id = $1', [
      user.id,
      'Zoe\n\u001b[31m',
    ]);
    const workspace = await aWorkspace(service, user, 'Tab\there');
    const lines = await output(audit, '--workspace', String(workspace));
    expect(lines).toHaveLength(2);
    expect(lines[1]?.split('\t')).toHaveLength(9);
    expect(lines[1]).not.toContain('\u001b');
    const [line = ''] = await output(
      audit,
      '--json',
      '--user',
      String(user.id),
      '--verb',
      'workspace',
      '--limit',
      '1',
    );
    expect(JSON.parse(line)).toMatchObject({
      verb: 'workspace.created',
      actor: { kind: 'token', user_id: user.id, network: '127.0.0.1' },
      workspace: { id: workspace, name: 'Tab\there' },
    });
    expect(await output(audit, '--json', '--since', '2999-01-01')).toEqual([]);
    for (const wrong of [['--user', 'ada'], ['--since', 'soon'], ['--limit', '0'], ['--what', 'x'], ['now']])
      await expect(output(audit, ...wrong)).rejects.toThrow(UsageError);
  });

  test('since a time is all of it, and as much as was asked for otherwise', async () => {
    const many = 2_345;
    await service.context.pool.query(
      `insert into audit_events (actor, verb, created_at)
        select 'system', 'integration.stopped', '2100-01-01' from generate_series(1, $1)`,
      [many],
    );
    const all = await output(audit, '--json', '--since', '2099-01-01');
    const ids = all.map((line) => JSON.parse(line).id);
    expect(new Set(ids).size).toBe(many);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(await output(audit, '--json', '--since', '2099-01-01', '--limit', '1500')).toEqual(
      all.slice(0, 1_500),
    );
    expect(await output(audit, '--json')).toHaveLength(100);
    expect(await output(audit, '--json', '--limit', '12000')).toHaveLength(
      (await output(audit, '--json', '--since', '2000-01-01')).length,
    );
  });
});

describe('rotate-key', () => {
  test('refuses while a service is connected', async () => {
    const key = await readFile(join(service.dataDir, 'secret.key'), 'utf8');
    await expect(output(rotateKey)).rejects.toThrow('Stop every process');
    const url = process.env.DATABASE_URL ?? '';
    onTestFinished(() => {
      process.env.DATABASE_URL = url;
    });
    process.env.DATABASE_URL = `${url}?application_name=night`;
    await expect(output(rotateKey)).rejects.toThrow('Stop every process');
    expect(await readFile(join(service.dataDir, 'secret.key'), 'utf8')).toBe(key);
  });

  test('wants the new key where the old one is in the environment, and only there', async () => {
    process.env.NEW_SECRET_KEY = 'b'.repeat(64);
    await expect(output(rotateKey)).rejects.toThrow('unset NEW_SECRET_KEY');
    process.env.SECRET_KEY = 'B'.repeat(64);
    await expect(output(rotateKey)).rejects.toThrow('the same key');
    delete process.env.NEW_SECRET_KEY;
    await expect(output(rotateKey)).rejects.toThrow(UsageError);
    delete process.env.SECRET_KEY;
    await expect(output(rotateKey, 'now')).rejects.toThrow(UsageError);
  });
});

/** Keeps waiting people waiting, however slow the machine is. */
async function wait(subject: string): Promise<void> {
  await service.context.pool.query(
    `update failed_guesses set last_failed_at = now() + interval '5 minutes' where subject = $1`,
    [subject],
  );
}

async function output(command: Command, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  const code = await command(args, {
    out: (line) => lines.push(line),
    err: (line) => {
      throw new Error(`complained: ${line}`);
    },
  });
  expect(code).toBe(0);
  return lines;
}
