import type { CommandModule } from './command.ts';

/** Commands by their words, in the order of the help. Each is loaded only when used, so that all start quickly. */
export const COMMANDS: Record<string, () => Promise<CommandModule>> = {
  serve: () => import('./serve.ts'),
  migrate: () => import('./migrate.ts'),
  doctor: () => import('./doctor.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  'user create': () => import('./user-create.ts'),
  'user delete': () => import('./user-delete.ts'),
  'user set-email': () => import('./user-set-email.ts'),
  'user set-password': () => import('./user-set-password.ts'),
  'user reset-2fa': () => import('./user-reset-2fa.ts'),
  'token create': () => import('./token-create.ts'),
  'token list': () => import('./token-list.ts'),
  'token revoke': () => import('./token-revoke.ts'),
  apply: () => import('./apply.ts'),
  'form show': () => import('./form-show.ts'),
  listen: () => import('./listen.ts'),
  audit: () => import('./audit.ts'),
  'rotate-key': () => import('./rotate-key.ts'),
  'person find': async () => (await import('./person.ts')).findCommand,
  'person export': async () => (await import('./person.ts')).exportCommand,
  'person erase': async () => (await import('./person.ts')).eraseCommand,
  bench: () => import('./bench.ts'),
};

/** Usage and summary of every command, or only of those whose first word is `group`. */
export async function help(group?: string): Promise<string> {
  const asked = Object.entries(COMMANDS).filter(([words]) => !group || words.startsWith(`${group} `));
  const commands = await Promise.all(asked.map(([, load]) => load()));
  const lines = commands.map(({ USAGE, SUMMARY }) => `  ${USAGE}\n      ${SUMMARY}`);
  return ['Usage: formstead <command>', '', ...lines].join('\n');
}
