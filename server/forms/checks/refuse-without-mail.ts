import { invalid } from '../../http/errors.ts';
import { canMail, NO_MAIL_SERVER } from '../../mail/can-mail.ts';
import type { FormInput } from '../schemas.ts';
import type { CurrentForm } from './check-form-input.ts';

type Parts = Parameters<typeof canMail>[0];
type Confirming = Pick<CurrentForm, 'presentation'>;

/**
 * Refuses to begin asking senders to confirm their address where no mail can be sent.
 * @param current null for a form that is about to be created
 * @throws HttpError 422
 */
export async function refuseConfirmingWithoutMail(
  parts: Parts,
  workspaceId: number,
  { settings }: FormInput,
  current: Confirming | null,
): Promise<void> {
  const field = settings?.confirms_email ?? null;
  if (field === null || field === current?.presentation.settings?.confirms_email) return;
  if (await canMail(parts, workspaceId)) return;
  throw invalid({ 'settings.confirms_email': [NO_MAIL_SERVER] });
}

/**
 * Refuses to move a form that asks senders to confirm their address to a workspace where no mail can be sent: what they send would wait
 * for a mail that never comes, and then be deleted.
 * @throws HttpError 422
 */
export async function refuseMovingWithoutMail(
  parts: Parts,
  workspaceId: number,
  { presentation }: Confirming,
): Promise<void> {
  if ((presentation.settings?.confirms_email ?? null) === null || (await canMail(parts, workspaceId))) return;
  throw invalid({
    workspace_id: [
      'The form has senders confirm their address, but neither that workspace nor this service has a mail server.',
    ],
  });
}
