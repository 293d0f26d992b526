import { NotBuiltError } from '../built-files.ts';
import { DataDirectoryInUseError } from '../db/data-directory-lock.ts';
import { EmbeddedPostgresError } from '../db/embedded-error.ts';
import { MigrationError } from '../db/migrate.ts';
import { ConfigError } from '../settings/values.ts';
import { VERSION } from '../version.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { COMMANDS, help } from './commands.ts';

/** Problems that an operator can fix: shown as one line, without a stack. */
const PLAIN_ERRORS = [
  ConfigError,
  UsageError,
  CommandError,
  MigrationError,
  EmbeddedPostgresError,
  DataDirectoryInUseError,
  NotBuiltError,
];

const io: CommandIo = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

let isUnwritten = false;
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  // A reader that has enough, such as `head`, is no failure; the command still finishes its work.
  if (code === 'EPIPE' || isUnwritten) return;
  io.err(`The output cannot be written (${code}).`);
  isUnwritten = true;
  process.exitCode = 1;
});
process.stderr.on('error', () => {});

const code = await main(process.argv.slice(2));
process.exitCode = isUnwritten ? 1 : code;

async function main(args: string[]): Promise<number> {
  const [first = '', second = ''] = args;
  const count = Object.hasOwn(COMMANDS, `${first} ${second}`) ? 2 : 1;
  const words = args.slice(0, count).join(' ');
  const load = Object.hasOwn(COMMANDS, words) && COMMANDS[words];
  if (!load) return withoutCommand(args);
  try {
    const { run, USAGE, SUMMARY } = await load();
    const rest = args.slice(count);
    if (!rest.includes('--help')) return await run(rest, io);
    io.out(`Usage: formstead ${USAGE}\n      ${SUMMARY}`);
    return 0;
  } catch (error) {
    if (PLAIN_ERRORS.some((kind) => error instanceof kind)) io.err((error as Error).message);
    else io.err((error as Error).stack ?? String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

async function withoutCommand(args: string[]): Promise<number> {
  const [first = '', second] = args;
  const isGroup = Object.keys(COMMANDS).some((words) => words.startsWith(`${first} `));
  if (first === '--version') io.out(VERSION);
  else if (['', 'help', '--help'].includes(first)) io.out(await help());
  else if (isGroup && second === '--help' && args.length === 2) io.out(await help(first));
  else {
    const needsWord = isGroup && second === undefined;
    if (needsWord) io.err(`"${first}" needs another word.\n\n${await help(first)}`);
    else io.err(`There is no command "${args.join(' ')}".\n\n${await help()}`);
    return 2;
  }
  return 0;
}
