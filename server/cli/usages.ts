import { FIGURE_NAMES } from '../bench/figure.ts';

interface Usage {
  /** The words and options after `formstead`. */
  usage: string;
  /** One line for the help. */
  summary: string;
}

/** What the help says of each command, in its order. It is apart from the commands, so that the help loads none of them. */
export const USAGES = {
  serve: {
    usage: 'serve [--processes N]',
    summary: 'run the service (what npm start does)',
  },
  migrate: {
    usage: 'migrate',
    summary: 'bring the database up to this version',
  },
  doctor: {
    usage: 'doctor [--json]',
    summary: 'examine the installation and say what to mend',
  },
  backup: {
    usage: 'backup [--to PLACE] [--keep N] [--without-key]',
    summary: 'database, files and key as one file, also while the service runs',
  },
  restore: {
    usage: 'restore FILE [--check] [--send-deliveries] [--without-key] [--keep-files]',
    summary: 'put a backup back into an empty place, or only read it',
  },
  'user create': {
    usage: 'user create --email E --name N [--password P]',
    summary: 'make an account; without a password one is made and printed',
  },
  'user delete': {
    usage: 'user delete --email E [--with-workspaces]',
    summary: 'delete an account, and the workspaces nobody else is in when told to',
  },
  'user set-email': {
    usage: 'user set-email --email E --new-email E',
    summary: 'give an account another address to sign in with',
  },
  'user set-password': {
    usage: 'user set-password --email E [--password P]',
    summary: 'give somebody who lost it a new password; without one it is made and printed',
  },
  'user reset-2fa': {
    usage: 'user reset-2fa --email E',
    summary: 'sign in with the password alone again',
  },
  'token create': {
    usage: 'token create --email E --name N --abilities a,b,c [--expires 30d|never|<ISO time>]',
    summary: 'make an access token and print it',
  },
  'token list': {
    usage: 'token list [--email E]',
    summary: 'list access tokens, one a line',
  },
  'token revoke': {
    usage: 'token revoke <id>',
    summary: 'end an access token',
  },
  apply: {
    usage: 'apply FILE… [--workspace ID] [--plan]',
    summary: 'make forms what JSON files say, or with --plan only tell what would change',
  },
  'form show': {
    usage: 'form show SLUG',
    summary: 'a form as JSON, as apply takes it',
  },
  listen: {
    usage:
      'listen --url URL --form FORM --forward URL [--token T] [--secret S] [--since ID|T] [--events created,updated] [--json]',
    summary: 'send the new submissions of any Formstead to a receiver on this machine, as a webhook would',
  },
  audit: {
    usage:
      'audit [--workspace ID] [--form ID] [--user ID] [--verb V] [--since T] [--until T] [--before ID] [--limit N] [--json]',
    summary: 'print who did what, the latest first',
  },
  'rotate-key': {
    usage: 'rotate-key [--old-key-lost]',
    summary: 'encrypt everything with a new key, while no service runs',
  },
  'person find': {
    usage: 'person find --value V',
    summary: 'what is stored of a person, by e-mail address or another answer',
  },
  'person export': {
    usage: 'person export --value V',
    summary: 'the same as a JSON document',
  },
  'person erase': {
    usage: 'person erase --value V',
    summary: 'erase it for good',
  },
  bench: {
    usage: `bench [--only ${FIGURE_NAMES.join(',')}] [--rounds N] [--full] [--json] [--dir D] [--database-url U]`,
    summary: 'measure this machine, with nothing left behind',
  },
} satisfies Record<string, Usage>;

/** Usage and summary of every command, or only of those whose first word is `group`. */
export function help(group?: string): string {
  const asked = Object.entries(USAGES).filter(([words]) => !group || words.startsWith(`${group} `));
  const lines = asked.map(([, { usage, summary }]) => `  ${usage}\n      ${summary}`);
  return ['Usage: formstead <command>', '', ...lines].join('\n');
}
