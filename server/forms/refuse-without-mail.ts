import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { findMailServer } from '../mail/queries.ts';
import type { CurrentForm } from './check-form-input.ts';
import type { FormInput } from './schemas.ts';

/**
 * Refuses to begin asking senders to confirm their address where no mail can be sent.
 * @param current null for a form that is about to be created
 * @throws HttpError 422
 */
export async function refuseConfirmingWithoutMail(
  { db, mailerOf }: Context,
  workspaceId: number,
  { settings }: FormInput,
  current: Pick<CurrentForm, 'presentation'> | null,
): Promise<void> {
  const field = settings?.confirms_email ?? null;
  if (field === null || field === current?.presentation.settings?.confirms_email) return;
  if (mailerOf(await findMailServer(db, workspaceId)).isConfigured) return;
  throw invalid({
    'settings.confirms_email': ['Neither this workspace nor this service has a mail server.'],
  });
}
