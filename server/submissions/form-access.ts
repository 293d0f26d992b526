import { createHash } from 'node:crypto';
import { forgetFailedGuesses, recordFailedGuess, refuseWhileGuessing } from '../access/guesses.ts';
import type { Context } from '../context.ts';
import { verifyFormPassword } from '../forms/form-password.ts';
import { HttpError } from '../http/errors.ts';
import type { PublishedForm } from './published-forms.ts';

/** Slow hashes are checked once per password and form, then remembered by their SHA-256. */
const verified = new Set<string>();
const MAX_REMEMBERED = 10_000;

/** @throws HttpError 403 `form_closed` */
export function refuseIfClosed(form: PublishedForm): void {
  if (form.isClosed(new Date()))
    throw new HttpError(403, 'This form is closed and takes no more submissions.', { error: 'form_closed' });
}

/** 403 of a form that has all the submissions it takes. */
export function formFull(): HttpError {
  return new HttpError(403, 'This form has received all the submissions it takes.', { error: 'form_full' });
}

/**
 * Checks the `form-password` header: the password itself or its lower-case SHA-256 hex.
 * @throws HttpError 403 `form_protected`, or 429 after too many wrong guesses
 */
export async function checkFormPassword(
  context: Context,
  form: PublishedForm,
  presented: string | undefined,
  address: string,
): Promise<void> {
  if (form.passwordHash === null) return;
  const refusal = new HttpError(403, 'Form is protected.', { error: 'form_protected' });
  if (!presented) throw refusal;
  const memory = createHash('sha256').update(`${form.passwordHash} ${presented}`).digest('base64');
  if (verified.has(memory)) return;
  const subject = `form:${form.id}`;
  await refuseWhileGuessing(context.db, subject, address);
  if (!(await verifyFormPassword(presented, form.passwordHash))) {
    await recordFailedGuess(context.db, subject, address);
    throw refusal;
  }
  await forgetFailedGuesses(context.db, subject, address);
  if (verified.size >= MAX_REMEMBERED) verified.clear();
  verified.add(memory);
}
