import type { Context } from '../context.ts';
import type { User } from './queries.ts';

export function presentUser(
  { id, name, email, created_at, has_password }: User,
  { config, mailer }: Pick<Context, 'config' | 'mailer'>,
) {
  return {
    id,
    name,
    email,
    created_at: created_at.toISOString(),
    has_password,
    service_sends_mail: mailer.isConfigured,
    service_runs_code: config.customCode,
  };
}

/** Who did something; null when it was nobody with an account, or the account is gone. */
export function presentAuthor(id: number | null, name: string | null) {
  return id === null || name === null ? null : { id, name };
}
