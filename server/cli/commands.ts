import type { CommandModule } from './command.ts';
import type { USAGES } from './usages.ts';

/** Commands by their words. Each is loaded only when used, so that all start quickly. */
export const COMMANDS: Record<keyof typeof USAGES, () => Promise<CommandModule>> = {
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
  'person find': async () => ({ run: (await import('./person.ts')).find }),
  'person export': async () => ({ run: (await import('./person.ts')).exportPerson }),
  'person erase': async () => ({ run: (await import('./person.ts')).erase }),
  bench: () => import('./bench.ts'),
};
