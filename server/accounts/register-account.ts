import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { violates } from '../db/constraint-errors.ts';
import type { Db, Transaction } from '../db/database.ts';
import { forbidden, invalid } from '../http/errors.ts';
import { acceptInvite, requireUsableInvite } from '../members/accept-invite.ts';
import { createWorkspace } from '../workspaces/queries.ts';
import { hashPassword } from './passwords.ts';
import { anyUserExists, insertUser, lockFirstRegistration, type User } from './queries.ts';

const FIRST_WORKSPACE_NAME = 'My Workspace';

/** Who can register now: anybody, the invited, nobody. */
export async function registrationState(
  db: Db,
  registration: Config['registration'],
): Promise<'open' | 'invite' | 'closed'> {
  if (registration !== 'first') return registration;
  return (await anyUserExists(db)) ? 'invite' : 'open';
}

/**
 * Registers a person as the operator's REGISTRATION allows. Invited people join the workspace they were invited to;
 * everybody else gets one of their own.
 * @throws HttpError 403 when registration is closed, 400 for an unusable invite, 422 for a taken address
 */
export async function registerAccount(
  { db, config }: Context,
  person: { name: string; email: string; password: string },
  inviteToken: string | null,
): Promise<User> {
  // Asked before the slow hash, so that the refused cost little, and again under the lock.
  await requireRegistration(db, config.registration, inviteToken);
  const passwordHash = await hashPassword(person.password);
  return db.transaction().execute(async (trx) => {
    if (config.registration === 'first') await lockFirstRegistration(trx);
    await requireRegistration(trx, config.registration, inviteToken);
    const user = await insertAccount(trx, person.name, person.email, passwordHash);
    if (inviteToken === null) await createWorkspace(trx, { name: FIRST_WORKSPACE_NAME, icon: '' }, user.id);
    else await acceptInvite(trx, inviteToken, user.id);
    return user;
  });
}

/** Adds a person whatever REGISTRATION says, for the operator. @throws HttpError 422 for a taken address */
export async function createAccount(
  db: Db,
  person: { name: string; email: string; password: string },
): Promise<User> {
  const passwordHash = await hashPassword(person.password);
  return db.transaction().execute(async (trx) => {
    const user = await insertAccount(trx, person.name, person.email, passwordHash);
    await createWorkspace(trx, { name: FIRST_WORKSPACE_NAME, icon: '' }, user.id);
    return user;
  });
}

async function requireRegistration(
  db: Db,
  registration: Config['registration'],
  inviteToken: string | null,
): Promise<void> {
  const state = await registrationState(db, registration);
  if (state === 'closed') throw forbidden('Registration is closed.');
  if (inviteToken !== null) return requireUsableInvite(db, inviteToken);
  if (state === 'invite') throw forbidden('Registration is by invitation only.');
}

async function insertAccount(
  trx: Transaction,
  name: string,
  email: string,
  passwordHash: string,
): Promise<User> {
  try {
    return await insertUser(trx, { name, email, password_hash: passwordHash });
  } catch (error) {
    if (violates(error, 'users_email_key')) throw invalid({ email: ['The email has already been taken.'] });
    throw error;
  }
}
