import { type Actor, CLI } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { requireAccountAddress } from './email.ts';
import { findUserByEmail, type User, updateEmail } from './queries.ts';
import { writeAddress } from './write-address.ts';

/**
 * Gives an account another address. Its sessions, tokens and memberships stay.
 * @param user with the address to replace
 * @throws HttpError 422 for a taken address or one that mail cannot be sent to, 409 when the address was changed meanwhile
 */
export async function changeEmail(trx: Transaction, user: User, wanted: string, actor: Actor): Promise<User> {
  const email = requireAccountAddress(wanted);
  const changed = await writeAddress(trx, { email, ownId: user.id }, () => updateEmail(trx, user, email));
  if (!changed) throw new HttpError(409, 'The e-mail address was changed a moment ago. Please try again.');
  const target = { id: user.id, name: user.name };
  const details = { from: user.email, to: email };
  await recordEvent(trx, actor, { verb: 'account.email_changed', target, details });
  return changed;
}

/** For the operator, when mail is not set up or no longer read. @throws HttpError 404, 422 for a taken address */
export function setEmail(db: Db, former: string, email: string): Promise<User> {
  return db.transaction().execute(async (trx) => {
    const user = await findUserByEmail(trx, former);
    if (!user) throw notFound('Account');
    return changeEmail(trx, user, email, CLI);
  });
}
