import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findUser } from '../../server/accounts/queries.ts';
import { type Command, CommandError, UsageError } from '../../server/cli/command.ts';
import { run as migrate } from '../../server/cli/migrate.ts';
import { inPlainWords } from '../../server/cli/plain-words.ts';
import { run as serve } from '../../server/cli/serve.ts';
import { run as createToken } from '../../server/cli/token-create.ts';
import { run as listTokens } from '../../server/cli/token-list.ts';
import { run as revokeToken } from '../../server/cli/token-revoke.ts';
import { run as createUser } from '../../server/cli/user-create.ts';
import { run as deleteUser } from '../../server/cli/user-delete.ts';
import { run as setEmail } from '../../server/cli/user-set-email.ts';
import { aForm, aMember, aUser, aWorkspace } from '../setup/factories.ts';
import { startService, type TestService } from '../setup/service.ts';

let service: TestService;
beforeAll(async () => {
  // The test runner sets it for its own use, to a value that is no address.
  delete process.env.BASE_URL;
  service = await startService({ env: { REGISTRATION: 'closed' } });
  const { host, port, user, database } = service.context.connection as Record<string, string>;
  process.env.DATABASE_URL = `postgres://${user}@${encodeURIComponent(host ?? '')}:${port}/${database}`;
});
afterAll(() => service.stop());

describe('user create', () => {
  test('adds an account with a workspace, whatever REGISTRATION says', async () => {
    expect(
      await output(createUser, '--email', 'ada@example.com', '--name', 'Ada', '--password', 'long enough'),
    ).toEqual(['Account created: ada@example.com']);
    const login = await signIn('ada@example.com', 'long enough');
    expect(login.status).toBe(200);
    const cookie = login.headers.get('set-cookie')?.split(';')[0];
    const workspaces = await service.request('GET', '/open/workspaces', { cookie });
    expect(workspaces.body).toMatchObject([{ name: 'My Workspace', role: 'admin' }]);
  });

  test('makes a password when none is given', async () => {
    const [, line = ''] = await output(createUser, '--email', 'bob@example.com', '--name', 'Bob');
    const [, password = ''] = /^Password: (\S{20})$/.exec(line) ?? [];
    expect((await signIn('bob@example.com', password)).status).toBe(200);
  });

  test('refuses a taken address, a short password and what it does not know', async () => {
    await expect(output(createUser, '--email', 'ADA@example.com', '--name', 'Ada')).rejects.toThrow(
      CommandError,
    );
    const good = ['--email', 'eve@example.com', '--name', 'Eve'];
    for (const wrong of [
      ['--email', 'eve', '--name', 'Eve'],
      ['--email', 'eve@example.com'],
      ['--email', 'eve@example.com', '--name', ' '],
      ['--email', 'eve@example.com', '--name', 'n'.repeat(256)],
      [...good, '--password', 'short'],
      [...good, '--password', 'p'.repeat(1025)],
      [...good, '--admin'],
      [...good, 'more'],
    ])
      await expect(output(createUser, ...wrong)).rejects.toThrow(UsageError);
  });
});

describe('token create, list and revoke', () => {
  const options = [
    '--email',
    'ada@example.com',
    '--name',
    'CI\n\u001b[31m',
    '--abilities',
    'workspaces-read, forms-read',
  ];

  test('prints a token alone that works until it is revoked', async () => {
    const [token = '', ...rest] = await output(createToken, ...options, '--expires', '30d');
    expect(rest).toEqual([]);
    expect((await service.request('GET', '/open/workspaces', { token })).status).toBe(200);
    expect((await service.request('POST', '/open/workspaces/create', { token })).status).toBe(403);

    const [head = '', line = '', ...others] = await output(listTokens, '--email', 'Ada@example.com');
    expect(others).toEqual([]);
    expect(head.split('\t')).toHaveLength(8);
    expect(`${head}${line}`).not.toContain(token);
    const [id = '', email, name, start, abilities, , expires = '', status] = line.split('\t');
    expect(status).toBe('active');
    expect([email, name, start]).toEqual(['ada@example.com', 'CI  [31m', token.slice(0, 9)]);
    expect(abilities).toBe('workspaces-read,forms-read');
    expect((Date.parse(expires) - Date.now()) / 86_400_000).toBeCloseTo(30, 1);

    expect(await output(revokeToken, id)).toEqual([`Token ${id} revoked.`]);
    expect((await service.request('GET', '/open/workspaces', { token })).status).toBe(401);
    await expect(output(revokeToken, id)).rejects.toThrow(`There is no token ${id}.`);
    for (const wrong of [[], ['x'], ['0'], [id, id]])
      await expect(output(revokeToken, ...wrong)).rejects.toThrow(UsageError);
  });

  test.each([
    ['never', null],
    ['2999-01-02T03:04:05Z', '2999-01-02T03:04:05.000Z'],
    ['2999-01-02T03:04', '2999-01-02T03:04:00.000Z'],
  ])('--expires %s', async (expires, listed) => {
    await output(createToken, ...options, '--expires', expires);
    const last = (await output(listTokens)).at(-1) ?? '';
    expect(last.split('\t').at(-2)).toBe(listed ?? 'never');
  });

  test('refuses unknown abilities, addresses and times', async () => {
    const swap = (name: string, value: string) =>
      options.map((word, at) => (options[at - 1] === name ? value : word));
    await expect(output(createToken, ...swap('--abilities', '*'))).rejects.toThrow(UsageError);
    await expect(output(createToken, ...swap('--abilities', 'forms-read,'))).rejects.toThrow(UsageError);
    await expect(output(createToken, ...swap('--email', 'no@example.com'))).rejects.toThrow(
      'There is no account',
    );
    for (const time of ['0d', '36501d', '30', 'soon', '2020-01-01'])
      await expect(output(createToken, ...options, '--expires', time)).rejects.toThrow(
        '--expires takes days such as 30d (at most 36500d), never, or a time in the future such as 2027-01-31T12:00Z.',
      );
  });
});

describe('user delete', () => {
  test('ends sessions and tokens, and takes lonely workspaces along only when told to', async () => {
    const open = await startService({ database: service.database, dataDir: service.dataDir });
    try {
      const cleo = await aUser(open, { name: 'Cleo' });
      const form = await aForm(open, cleo, await aWorkspace(open, cleo));
      await expect(output(deleteUser, '--email', cleo.email)).rejects.toThrow('--with-workspaces');
      expect((await open.request('GET', '/user', { token: cleo.token })).status).toBe(200);
      await output(deleteUser, '--email', cleo.email, '--with-workspaces');
      expect((await open.request('GET', '/user', { token: cleo.token })).status).toBe(401);
      expect((await open.request('GET', '/user', { cookie: cleo.cookie })).status).toBe(401);
      const { rows } = await service.context.pool.query('select 1 from forms where id = $1', [form.id]);
      expect(rows).toEqual([]);
      await expect(output(deleteUser, '--email', cleo.email)).rejects.toThrow('Account not found.');
    } finally {
      await open.stop();
    }
  });

  test('never leaves a workspace without an admin; forms made elsewhere stay', async () => {
    const open = await startService({ database: service.database, dataDir: service.dataDir });
    try {
      const [dora, emil] = await Promise.all([aUser(open, { name: 'Dora' }), aUser(open, { name: 'Emil' })]);
      const shared = await aWorkspace(open, dora, 'Shared');
      await aMember(open, dora, shared, emil, 'user');
      const form = await aForm(open, emil, shared);
      await expect(output(deleteUser, '--email', dora.email, '--with-workspaces')).rejects.toThrow(
        '"Shared"',
      );
      await output(deleteUser, '--email', emil.email, '--with-workspaces');
      const { body } = await open.request('GET', `/open/forms/${form.id}`, { token: dora.token });
      expect(body.id).toBe(form.id);
      expect((await open.request('GET', '/open/workspaces', { token: dora.token })).body).toHaveLength(2);
    } finally {
      await open.stop();
    }
  });
});

describe('addresses that an earlier version stored as they were written', () => {
  /** Stores an account as that version did. */
  const store = async (email: string) => {
    const { pool } = service.context;
    const { rows } = await pool.query('insert into users (name, email) values ($1, $1) returning id', [
      email,
    ]);
    return rows[0].id;
  };
  const has = async (id: number) => (await findUser(service.context.db, id)) !== null;

  test('the account with exactly what was typed is meant before one that it only leads to', async () => {
    const [real, lookAlike] = [await store('anna@example.net'), await store('anna@\uff45xample.net')];
    await expect(
      output(setEmail, '--email', 'anna@\uff45xample.net', '--new-email', 'anna@\uff45xample.net'),
    ).rejects.toThrow('The email has already been taken.');
    expect(await output(deleteUser, '--email', 'anna@\uff45xample.net')).toEqual([
      'Account deleted: anna@\uff45xample.net',
    ]);
    expect([await has(real), await has(lookAlike)]).toEqual([true, false]);
    // Now there is only one that it leads to.
    expect(await output(deleteUser, '--email', 'Anna@\uff45xample.net')).toEqual([
      'Account deleted: anna@example.net',
    ]);
    expect(await has(real)).toBe(false);
  });

  test('one with letters of its own in the domain is found, and not made a second time', async () => {
    await store('anna@m\u00fcller.example');
    for (const email of ['anna@m\u00fcller.example', 'ANNA@xn--mller-kva.example']) {
      await expect(output(createUser, '--email', email, '--name', 'Anna')).rejects.toThrow(
        'already been taken',
      );
      const token = await output(createToken, '--email', email, '--name', 'CI', '--abilities', 'forms-read');
      expect(token).toHaveLength(1);
    }
    expect(await output(listTokens, '--email', 'anna@m\u00fcller.example')).toHaveLength(3);
    expect(
      await output(
        setEmail,
        '--email',
        'anna@m\u00fcller.example',
        '--new-email',
        'anna@m\u00fcller.example',
      ),
    ).toEqual(['Address set: anna@xn--mller-kva.example']);
    expect(await output(listTokens, '--email', 'anna@m\u00fcller.example')).toHaveLength(3);
  });
});

describe('the database', () => {
  test('migrate says when there is nothing to do', async () => {
    expect(await output(migrate)).toEqual(['The database is up to date.']);
    await expect(output(migrate, 'now')).rejects.toThrow(UsageError);
  });

  test.each([
    ['a database nobody answers for', 'postgres://a@127.0.0.1:1/a'],
    ['a database that is not there', 'missing'],
  ])('says in one line that it cannot use %s', async (_what, url) => {
    const good = process.env.DATABASE_URL ?? '';
    process.env.DATABASE_URL = url === 'missing' ? `${good}_missing` : url;
    try {
      await expect(output(listTokens)).rejects.toThrow(CommandError);
    } finally {
      process.env.DATABASE_URL = good;
    }
  });
});

describe('what an operator can mend is one plain line', () => {
  test.each(['', '/data', '/very/deep/data'])('a DATA_DIR that cannot be: a file%s', async (below) => {
    const folder = await mkdtemp(join(tmpdir(), 'formstead-no-place-'));
    await writeFile(join(folder, 'file'), '');
    await expect(
      withEnvironment({ DATA_DIR: join(folder, `file${below}`), DATABASE_URL: '' }, () => output(serve)),
    ).rejects.toThrow(/^\/.*file.* cannot be used \((EEXIST|ENOTDIR)\): name another place/);
    await rm(folder, { recursive: true });
  });

  test.runIf(process.platform === 'linux')('a DATA_DIR where nobody can make a directory', async () => {
    const inNoDirectory = (DATABASE_URL: string) =>
      withEnvironment({ DATA_DIR: '/proc/formstead/data', DATABASE_URL }, () => output(serve));
    await expect(inNoDirectory('')).rejects.toThrow('/proc/formstead cannot be used (ENOENT)');
    // What is missing there first is the key of the database.
    await expect(inNoDirectory(process.env.DATABASE_URL ?? '')).rejects.toThrow(
      'There is no key in /proc/formstead/data/secret.key',
    );
  });

  test('a file that is missing or of somebody else, and a full disk', () => {
    const problem = (code: string) => {
      const error = Object.assign(new Error('…'), { code, path: '/data/secret.key', syscall: 'open' });
      return inPlainWords(error) as Error;
    };
    for (const code of ['EACCES', 'EPERM']) expect(problem(code).message).toContain('chown -R');
    for (const code of ['EROFS', 'EISDIR']) expect(problem(code)).toBeInstanceOf(CommandError);
    expect(problem('EROFS').message).toBe(
      '/data/secret.key is on a read-only disk: name another place, or make it writable.',
    );
    expect(problem('ENOSPC').message).toContain('free some space');
    expect(problem('ENOENT').message).toBe('There is no file /data/secret.key.');
  });

  test('a user of the database without rights', async () => {
    const name = `weak_${randomBytes(6).toString('hex')}`;
    const { pool } = service.context;
    await pool.query(`create role ${name} login`);
    await pool.query(`create database ${name}`);
    const { host, port } = service.context.connection as Record<string, string>;
    const DATABASE_URL = `postgres://${name}@${encodeURIComponent(host ?? '')}:${port}/${name}`;
    await expect(withEnvironment({ DATABASE_URL }, () => output(migrate))).rejects.toThrow(
      /^The user of DATABASE_URL has too few rights \(permission denied for .*\)\. It should own the database/,
    );
    await pool.query(`drop database ${name}`);
    await pool.query(`drop role ${name}`);
  });

  test.each(['nosuch.invalid', '999.1.1.1', '192.0.2.1'])('a HOST that is not here: %s', async (HOST) => {
    const { database, dataDir } = service;
    const error = await startService({ database, dataDir, env: { HOST } }).catch(inPlainWords);
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toMatch(`Formstead cannot listen on ${HOST}:0 (E`);
  });
});

async function withEnvironment(env: Record<string, string>, work: () => Promise<unknown>): Promise<void> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  await work().finally(() => {
    process.env = before;
  });
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

function signIn(email: string, password: string) {
  return service.request('POST', '/login', { body: { email, password } });
}
