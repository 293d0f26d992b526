import type { Context } from '../../context.ts';
import { knowsFormPassword } from '../../forms/form-password.ts';
import { HttpError } from '../../http/errors.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { isUnlockKey } from './unlock-key.ts';

/** @throws HttpError 403 `form_closed` */
export function refuseIfClosed(form: PublishedForm): void {
  const now = new Date();
  if (!form.isClosed(now)) return;
  const opensAt = form.opensAfter(now);
  const message = opensAt
    ? `This form takes submissions from ${opensAt.toISOString()} on.`
    : 'This form is closed and takes no more submissions.';
  throw new HttpError(403, message, { error: 'form_closed' });
}

/** 403 of a form that has reached its maximum number of submissions. */
export function formFull(): HttpError {
  return new HttpError(403, 'This form has received all the submissions it takes.', { error: 'form_full' });
}

/** 403 of a form whose password is missing or wrong. */
export function formProtected(): HttpError {
  return new HttpError(403, 'Form is protected.', { error: 'form_protected' });
}

/**
 * Checks the `form-password` header: the password itself, its lower-case SHA-256 hex, or the key that the form's page
 * gives for it.
 * @throws HttpError 403 `form_protected`, or 429 after too many wrong guesses
 */
export async function checkFormPassword(
  context: Context,
  form: PublishedForm,
  presented: string | undefined,
  address: string,
): Promise<void> {
  if (form.passwordHash === null) return;
  if (isUnlockKey(context.secrets, form, presented, new Date())) return;
  if (!(await knowsFormPassword(context.db, form, presented, address))) throw formProtected();
}
