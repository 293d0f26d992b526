import { ConfigError } from '../config.ts';
import { DataDirectoryInUseError } from '../db/data-directory-lock.ts';
import { EmbeddedPostgresError } from '../db/embedded-error.ts';
import { MigrationError } from '../db/migrate.ts';
import { type Command, CommandError, type CommandIo, UsageError } from './command.ts';

const USAGE = `Usage: formstead <command>

  serve [--processes N]       run the service (what npm start does)
  migrate                     bring the database up to this version
  doctor [--json]             examine the installation and say what to mend
  backup [--to FILE] [--without-key]  database, files and key as one file, also while the service runs
  restore FILE [--check] [--send-deliveries] [--without-key] [--keep-files]  put it back into an empty place
  user create --email E --name N [--password P]
  user delete --email E [--with-workspaces]
  user reset-2fa --email E    sign in with the password alone again
  token create --email E --name N --abilities a,b,c [--expires 30d|never|<ISO time>]
  token list [--email E]
  token revoke <id>
  audit [--workspace ID] [--form ID] [--user ID] [--verb V] [--since T] [--until T] [--json]  who did what
  rotate-key                  encrypt everything with a new key, while no service runs
  person find --value V       what is stored of a person, by e-mail address or another answer
  person export --value V     the same as a JSON document
  person erase --value V      erase it for good
  bench [--only F] [--rounds N] [--full] [--json]  measure this machine, with nothing left behind`;

/** Commands are loaded when they are used, so that each starts quickly. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import('./serve.ts')).run,
  migrate: async () => (await import('./migrate.ts')).run,
  doctor: async () => (await import('./doctor.ts')).run,
  backup: async () => (await import('./backup.ts')).run,
  restore: async () => (await import('./restore.ts')).run,
  'user create': async () => (await import('./user-create.ts')).run,
  'user delete': async () => (await import('./user-delete.ts')).run,
  'user reset-2fa': async () => (await import('./user-reset-2fa.ts')).run,
  'token create': async () => (await import('./token-create.ts')).run,
  'token list': async () => (await import('./token-list.ts')).run,
  'person find': async () => (await import('./person.ts')).find,
  'person export': async () => (await import('./person.ts')).exportPerson,
  'person erase': async () => (await import('./person.ts')).erase,
  'token revoke': async () => (await import('./token-revoke.ts')).run,
  audit: async () => (await import('./audit.ts')).run,
  'rotate-key': async () => (await import('./rotate-key.ts')).run,
  bench: async () => (await import('./bench.ts')).run,
};

/** Problems an operator can mend: one line, no stack. */
const PLAIN_ERRORS = [
  ConfigError,
  UsageError,
  CommandError,
  MigrationError,
  EmbeddedPostgresError,
  DataDirectoryInUseError,
];

const io: CommandIo = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

process.exitCode = await main(process.argv.slice(2));

async function main(args: string[]): Promise<number> {
  const [first = '', second = ''] = args;
  const words = COMMANDS[`${first} ${second}`] ? 2 : 1;
  const load = COMMANDS[args.slice(0, words).join(' ')];
  if (!load) {
    const isHelp = first === '' || first === 'help' || first === '--help';
    (isHelp ? io.out : io.err)(isHelp ? USAGE : `There is no command "${args.join(' ')}".\n\n${USAGE}`);
    return isHelp ? 0 : 2;
  }
  try {
    return await (await load())(args.slice(words), io);
  } catch (error) {
    if (PLAIN_ERRORS.some((kind) => error instanceof kind)) io.err((error as Error).message);
    else io.err((error as Error).stack ?? String(error));
    return error instanceof UsageError ? 2 : 1;
  }
}
