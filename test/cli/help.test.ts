import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { UsageError } from '../../server/cli/command.ts';
import { COMMANDS } from '../../server/cli/commands.ts';
import { help, USAGES } from '../../server/cli/usages.ts';
import { VERSION } from '../../server/version.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const formstead = (...args: string[]) => promisify(execFile)(process.execPath, [MAIN, ...args]);
// The test runner sets BASE_URL for its own use, to a value that is no address.
const { BASE_URL: _, ...rest } = process.env;
/** Nothing listens at the address of its database. */
const nowhere = { ...rest, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
const silent = { out: () => {}, err: () => {} };

test('the help is printed when it is asked for, and with a command that is none', async () => {
  const text = help();
  for (const args of [[], ['help'], ['--help']])
    expect(await formstead(...args)).toEqual({ stdout: `${text}\n`, stderr: '' });
  await expect(formstead('user', 'forget')).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: `There is no command "user forget".\n\n${text}\n`,
  });
});

test('the first word of several commands alone is answered with those', async () => {
  for (const word of ['user', 'token'])
    await expect(formstead(word)).rejects.toMatchObject({
      code: 2,
      stdout: '',
      stderr: `"${word}" needs another word.\n\n${help(word)}\n`,
    });
});

test('the version can be asked for', async () => {
  expect(await formstead('--version')).toEqual({ stdout: `${VERSION}\n`, stderr: '' });
});

test('an option that there is not, or that lacks its value, is named in one line', async () => {
  const usage = `Usage: formstead ${USAGES['token create'].usage}\n`;
  for (const [args, problem] of [
    [['--pass', 'x'], 'There is no option --pass.'],
    [['-e', 'x'], 'There is no option -e.'],
    [['--email'], '--email needs a value; one that begins with a dash follows a "=".'],
    [['--email', '--name', 'x'], '--email needs a value; one that begins with a dash follows a "=".'],
  ] as const)
    await expect(formstead('token', 'create', ...args)).rejects.toMatchObject({
      code: 2,
      stderr: `${problem}\n${usage}`,
    });
  await expect(formstead('doctor', '--json=yes')).rejects.toMatchObject({
    code: 2,
    stderr: '--json takes no value.\nUsage: formstead doctor [--json]\n',
  });
});

test('a reader who has enough is no failure, a disk without room is', async () => {
  const help = (stdout: 'pipe' | number) => {
    const child = spawn(process.execPath, [MAIN, 'help'], { stdio: ['ignore', stdout, 'pipe'] });
    child.stdout?.destroy();
    return Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  };
  expect(await help('pipe')).toEqual(['', [0, null]]);
  if (!existsSync('/dev/full')) return;
  const full = await open('/dev/full', 'w');
  expect(await help(full.fd)).toEqual(['The output cannot be written (ENOSPC).\n', [1, null]]);
  await full.close();
});

test.skipIf(!existsSync('/dev/full'))(
  'that a disk has no room is said once, however long the output is',
  async () => {
    const full = await open('/dev/full', 'w');
    const doctor = spawn(process.execPath, [MAIN, 'doctor'], {
      env: nowhere,
      stdio: ['ignore', full.fd, 'pipe'],
    });
    const [complaint, exit] = await Promise.all([text(doctor.stderr as Readable), once(doctor, 'exit')]);
    expect([complaint, exit]).toEqual(['The output cannot be written (ENOSPC).\n', [1, null]]);
    await full.close();
  },
);

test('a person is looked for by as long a value as in the dashboard', async () => {
  const find = (value: string) =>
    promisify(execFile)(process.execPath, [MAIN, 'person', 'find', '--value', value], {
      env: nowhere,
    });
  await expect(find('x'.repeat(1_000))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The database does not answer'),
  });
  await expect(find('x'.repeat(1_001))).rejects.toMatchObject({ code: 2 });
});

test('an option that a variable left empty is refused', async () => {
  await expect(formstead('backup', '--to=')).rejects.toMatchObject({
    code: 2,
    stderr: '--to is empty.\nUsage: formstead backup [--to PLACE] [--keep N] [--without-key]\n',
  });
});

test('a word that every object of JavaScript knows is no command', async () => {
  await expect(formstead('constructor')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no command "constructor"\.\n/),
  });
});

test('a command tells how it is used when it is asked, also behind other options', async () => {
  const { usage, summary } = USAGES['token create'];
  for (const args of [['--help'], ['--email', 'a@b.c', '--help']])
    expect(await formstead('token', 'create', ...args)).toEqual({
      stdout: `Usage: formstead ${usage}\n      ${summary}\n`,
      stderr: '',
    });
});

test('a word that several commands begin with tells of these when it is asked', async () => {
  const { stdout, stderr } = await formstead('token', '--help');
  expect(stdout.match(/^ {2}\w+ \w+/gm)).toEqual(['  token create', '  token list', '  token revoke']);
  expect(stderr).toBe('');
  await expect(formstead('tok', '--help')).rejects.toMatchObject({ code: 2, stdout: '' });
});

test.each(Object.entries(USAGES))(
  '%s says in the help what it says itself',
  async (words, { usage, summary }) => {
    const { run } = await COMMANDS[words as keyof typeof COMMANDS]();
    expect(usage).toMatch(new RegExp(`^${words}( |$)`));
    expect(help().split('\n')).toEqual(expect.arrayContaining([`  ${usage}`, `      ${summary}`]));
    const refused = run(['--no-such-option'], silent);
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(`Usage: formstead ${usage}`);
  },
);
