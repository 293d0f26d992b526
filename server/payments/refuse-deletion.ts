import type { Transaction } from '../db/database.ts';
import { HttpError } from '../http/errors.ts';
import { isAnyFormBeingPaid } from './queries.ts';

/**
 * Refuses to delete forms while somebody pays: the money would come, and the answers be gone. The caller has locked the forms.
 * @throws HttpError 409
 */
export async function refuseWhileBeingPaid(trx: Transaction, formIds: readonly number[]): Promise<void> {
  if (!(await isAnyFormBeingPaid(trx, formIds))) return;
  throw new HttpError(
    409,
    'Somebody may be paying at a form that would be deleted. Close the form and try again in an hour, or disconnect the account at Stripe first.',
    { error: 'payment_open' },
  );
}
