import { NotBuiltError } from '../built-files.ts';
import { DataDirectoryInUseError } from '../db/data-directory-lock.ts';
import { EmbeddedPostgresError } from '../db/embedded-error.ts';
import { MigrationError } from '../db/migrate.ts';
import { ConfigError } from '../settings/values.ts';
import { VERSION } from '../version.ts';
import { CommandError, type CommandIo, UsageError } from './command.ts';
import { COMMANDS } from './commands.ts';
import { help, USAGES } from './usages.ts';

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
  const count = isCommand(`${first} ${second}`) ? 2 : 1;
  const words = args.slice(0, count).join(' ');
  if (!isCommand(words)) return withoutCommand(args);
  const rest = args.slice(count);
  if (rest.includes('--help')) {
    const { usage, summary } = USAGES[words];
    io.out(`Usage: formstead ${usage}\n      ${summary}`);
    return 0;
  }
  try {
    const { run } = await COMMANDS[words]();
    return await run(rest, io);
  } catch (error) {
    if (PLAIN_ERRORS.some((kind) => error instanceof kind)) io.err((error as Error).message);
    else io.err((error as Error).stack ?? String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}

function isCommand(words: string): words is keyof typeof COMMANDS {
  return Object.hasOwn(COMMANDS, words);
}

function withoutCommand(args: string[]): number {
  const [first = '', second] = args;
  const isGroup = Object.keys(COMMANDS).some((words) => words.startsWith(`${first} `));
  if (first === '--version') io.out(VERSION);
  else if (['', 'help', '--help'].includes(first)) io.out(help());
  else if (isGroup && second === '--help' && args.length === 2) io.out(help(first));
  else {
    const needsWord = isGroup && second === undefined;
    if (needsWord) io.err(`"${first}" needs another word.\n\n${help(first)}`);
    else io.err(`There is no command "${args.join(' ')}".\n\n${help()}`);
    return 2;
  }
  return 0;
}
