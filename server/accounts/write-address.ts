import { violates } from '../db/constraint-errors.ts';
import type { Transaction } from '../db/database.ts';
import { type HttpError, invalid } from '../http/errors.ts';
import { findUserByEmail } from './queries.ts';

/**
 * Writes an address to an account, unless another has it. The unique index does not see those that an earlier version stored as they
 * were written, so they are looked for.
 * @param ownId the account that may have it already; null for a new one
 * @throws HttpError 422 for a taken address
 */
export async function writeAddress<Result>(
  trx: Transaction,
  { email, ownId }: { email: string; ownId: number | null },
  write: () => Promise<Result>,
): Promise<Result> {
  const holder = await findUserByEmail(trx, email);
  if (holder && holder.id !== ownId) throw addressTaken();
  try {
    return await write();
  } catch (error) {
    if (violates(error, 'users_email_key')) throw addressTaken();
    throw error;
  }
}

function addressTaken(): HttpError {
  return invalid({ email: ['The email has already been taken.'] });
}
