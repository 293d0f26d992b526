import type { Context } from '../context.ts';
import type { User } from './queries.ts';

export function presentUser(
  { id, name, email, created_at, has_password }: User,
  { mailer }: Pick<Context, 'mailer'>,
) {
  return {
    id,
    name,
    email,
    created_at: created_at.toISOString(),
    has_password,
    service_sends_mail: mailer.isConfigured,
  };
}
