import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { UsageError } from '../../server/cli/command.ts';
import { COMMANDS, help } from '../../server/cli/commands.ts';
import { SUMMARY, USAGE } from '../../server/cli/token-create.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const formstead = (...args: string[]) => promisify(execFile)(process.execPath, [MAIN, ...args]);
const silent = { out: () => {}, err: () => {} };

test('the help is printed when it is asked for, and with a command that is none', async () => {
  const text = await help();
  for (const args of [[], ['help'], ['--help']])
    expect(await formstead(...args)).toEqual({ stdout: `${text}\n`, stderr: '' });
  await expect(formstead('user', 'forget')).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: `There is no command "user forget".\n\n${text}\n`,
  });
});

test('a command tells how it is used when it is asked', async () => {
  expect(await formstead('token', 'create', '--help')).toEqual({
    stdout: `Usage: formstead ${USAGE}\n      ${SUMMARY}\n`,
    stderr: '',
  });
});

test.each(Object.entries(COMMANDS))('%s says in the help what it says itself', async (words, load) => {
  const { USAGE, SUMMARY, run } = await load();
  expect(USAGE).toMatch(new RegExp(`^${words}( |$)`));
  expect((await help()).split('\n')).toEqual(expect.arrayContaining([`  ${USAGE}`, `      ${SUMMARY}`]));
  const refused = run(['--no-such-option'], silent);
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(`Usage: formstead ${USAGE}`);
});
