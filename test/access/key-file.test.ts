import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { run as backUp } from '../../server/cli/backup.ts';
import { type Command, CommandError } from '../../server/cli/command.ts';
import { find as findPerson } from '../../server/cli/person.ts';
import { run as rotateKey } from '../../server/cli/rotate-key.ts';
import { keyFileIn, nextKeyFileIn, readKeyFile } from '../../server/secret-box.ts';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const DIGITS = 'a1'.repeat(32);
const DAMAGED = [
  ['nothing', ''],
  ['nothing but white space', ' \n'],
  ['a setting', `SECRET_KEY=${DIGITS}\n`],
  ['quotes', `"${DIGITS}"\n`],
  ['too few digits', `${DIGITS.slice(2)}\n`],
  ['too many digits', `${DIGITS}a1\n`],
  ['a note behind the key', `${DIGITS} # of the old machine\n`],
  ['another letter', `${DIGITS.slice(1)}g\n`],
] as const;
const NO_KEY = 'must hold 64 hexadecimal digits and nothing else.';

let database: TestDatabase;
let dataDir: string;
const environment = { ...process.env };
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-key-file-'));
  const { host, port, user, database: name } = database.connection as Record<string, string>;
  delete process.env.BASE_URL;
  process.env.DATABASE_URL = `postgres://${user}@${encodeURIComponent(host ?? '')}:${port}/${name}`;
  process.env.DATA_DIR = dataDir;
});
beforeEach(() => rm(nextKeyFileIn(dataDir), { force: true }));
afterAll(async () => {
  process.env = environment;
  await database.drop();
  await rm(dataDir, { recursive: true });
});

test.each(DAMAGED)('a file with %s holds no key, and is left as it is', async (_what, content) => {
  const path = keyFileIn(dataDir);
  await writeFile(path, content);
  await expect(readKeyFile(path)).rejects.toThrow(`${path} ${NO_KEY}`);
  expect(await readFile(path, 'utf8')).toBe(content);
});

test.each([DIGITS, `${DIGITS.toUpperCase()}\n`, ` \t${DIGITS}\r\n\n`])(
  'white space around a key does not matter: %j',
  async (content) => {
    await writeFile(keyFileIn(dataDir), content);
    expect(await readKeyFile(keyFileIn(dataDir))).toBe(content.trim());
  },
);

describe('with a file that holds no key', () => {
  beforeEach(() => writeFile(keyFileIn(dataDir), `SECRET_KEY=${DIGITS}\n`));

  test.each([[[]], [['--processes', '2']]])(
    'the service ends its start with one line: serve %j',
    async (args) => {
      const line = `${keyFileIn(dataDir)} ${NO_KEY} Restore the key from the backup.\n`;
      expect(await serve(args)).toEqual([line, 1]);
    },
  );

  test('the start ends although it has asked the database already', async () => {
    await writeFile(nextKeyFileIn(dataDir), `${DIGITS}\n`);
    expect(await serve([])).toEqual([expect.stringContaining(NO_KEY), 1]);
  });

  const commands: [string, Command, string[]][] = [
    ['rotate-key', rotateKey, []],
    ['backup', backUp, ['--to', tmpdir()]],
    ['person find', findPerson, ['--value', 'ada@example.com']],
  ];
  test.each(commands)('%s says so, and does nothing', async (_name, command, args) => {
    await expect(said(command, ...args)).rejects.toThrow(CommandError);
    await expect(said(command, ...args)).rejects.toThrow(`${keyFileIn(dataDir)} ${NO_KEY}`);
    expect(await readdir(dataDir)).not.toContain('secret.key.next');
  });
});

test('the file of an interrupted key change that holds no key has to be moved away', async () => {
  await writeFile(keyFileIn(dataDir), `${DIGITS}\n`);
  await writeFile(nextKeyFileIn(dataDir), '');
  await expect(said(rotateKey)).rejects.toThrow(`${nextKeyFileIn(dataDir)} ${NO_KEY} Move it away`);
  expect(await readKeyFile(keyFileIn(dataDir))).toBe(DIGITS);
});

/** @returns the output of the service, and its exit code */
async function serve(args: string[]): Promise<[string, number]> {
  const child = spawn(process.execPath, [MAIN, 'serve', ...args], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return [line, code];
}

async function said(command: Command, ...args: string[]): Promise<string[]> {
  const lines: string[] = [];
  await command(args, { out: (line) => lines.push(line), err: (line) => lines.push(line) });
  return lines;
}
