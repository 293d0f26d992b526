import type { FastifyRequest } from 'fastify';
import { countAsGuess } from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import { type Actor, personOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { forbidden, invalid } from '../http/errors.ts';
import { clientNetwork } from '../http/network/client-network.ts';
import { limitConcurrencyPerKey } from '../limit-concurrency.ts';
import { acceptInvite, guessInvite, requireUsableInvite } from '../members/accept-invite.ts';
import { createWorkspace } from '../workspaces/create-workspace.ts';
import { addressKey, addressKeys, requireAccountAddress } from './email.ts';
import { hashPassword } from './passwords.ts';
import { anyUserExists, insertUser, lockFirstAndLastAccount, type User } from './queries.ts';
import { startSession } from './sessions.ts';
import { writeAddress } from './write-address.ts';

const FIRST_WORKSPACE_NAME = 'My Workspace';
/** Counts registrations per address; many are free at once, since a whole class may begin together. */
const REGISTRATIONS = 'registrations';
const PATIENCE = { free: 100, forgottenAfterSeconds: 10 * 60 };
/** Registrations per network that wait for an earlier one. */
const WAITING = 30;
const oneAfterTheOther = limitConcurrencyPerKey(1, WAITING);

/** Who can register now: anybody, the invited, nobody. */
export async function registrationState(
  db: Db,
  registration: Config['registration'],
): Promise<'open' | 'invite' | 'closed'> {
  if (registration !== 'first') return registration;
  return (await anyUserExists(db)) ? 'invite' : 'open';
}

/**
 * Registers a person as REGISTRATION allows. Invited people join the workspace they were invited to; all others get one
 * of their own.
 * @returns the person, signed in once `setCookie` is called
 * @throws HttpError 403 when registration is closed, 400 for an unusable invite, 422 for an address that is taken or was
 * not invited, 429 after too many registrations from one network
 */
export async function registerAccount(
  context: Context,
  request: FastifyRequest,
  person: { name: string; email: string; password: string },
  inviteToken: string | null,
) {
  const { db, config } = context;
  // Checked before the slow hash, so that a refusal costs little, and again under the lock.
  await guessInvite(context, request, inviteToken, () =>
    requireRegistration(db, config.registration, person.email, inviteToken),
  );
  return inTurn(context, request, async () => {
    const passwordHash = await hashPassword(person.password, { address: request.ip });
    return db.transaction().execute(async (trx) => {
      if (config.registration === 'first') await lockFirstAndLastAccount(trx);
      await requireRegistration(trx, config.registration, person.email, inviteToken);
      const user = await addAccount(trx, request, { ...person, passwordHash }, async (userId, actor) => {
        if (inviteToken !== null) await acceptInvite(trx, inviteToken, userId, actor);
        return inviteToken !== null;
      });
      return { user, setCookie: await startSession(context, trx, request, user.id) };
    });
  });
}

/**
 * Registers people from one address one by one, and slower and slower: each registration leaves an account and takes a
 * slow hash, for which everybody who signs in has to queue.
 * @throws HttpError 429 with Retry-After, 503, or what `register` throws
 */
async function inTurn<Result>(
  { config, db }: Context,
  request: FastifyRequest,
  register: () => Promise<Result>,
): Promise<Result> {
  const { ip } = request;
  if (!isOneClient(config, request)) return register();
  return oneAfterTheOther(clientNetwork(ip), async () => {
    await countAsGuess(db, { subject: REGISTRATIONS, address: ip, patience: PATIENCE });
    return register();
  });
}

/**
 * Adds a person, with a workspace if no other has them.
 * @param join adds the person to the workspaces that invited them, and returns whether they joined any
 */
export async function addAccount(
  trx: Transaction,
  request: FastifyRequest,
  person: { name: string; email: string; passwordHash: string | null },
  join: (userId: number, actor: Actor) => Promise<boolean>,
): Promise<User> {
  const user = await insertAccount(trx, person);
  const actor = personOf(request, user.id);
  await recordEvent(trx, actor, { verb: 'account.registered', target: { id: user.id, name: user.name } });
  if (!(await join(user.id, actor)))
    await createWorkspace(trx, { name: FIRST_WORKSPACE_NAME, icon: '' }, user.id, actor);
  return user;
}

/** Adds a person for the operator, whatever REGISTRATION says. @throws HttpError 422 for a taken address */
export async function createAccount(
  db: Db,
  person: { name: string; email: string; password: string },
  actor: Actor,
): Promise<User> {
  const email = requireAccountAddress(person.email);
  const passwordHash = await hashPassword(person.password);
  return db.transaction().execute(async (trx) => {
    const user = await insertAccount(trx, { name: person.name, email, passwordHash });
    await recordEvent(trx, actor, { verb: 'account.created', target: { id: user.id, name: user.name } });
    await createWorkspace(trx, { name: FIRST_WORKSPACE_NAME, icon: '' }, user.id, actor);
    return user;
  });
}

async function requireRegistration(
  db: Db,
  registration: Config['registration'],
  email: string,
  inviteToken: string | null,
): Promise<void> {
  const state = await registrationState(db, registration);
  if (state === 'closed') throw forbidden('Registration is closed.');
  if (inviteToken !== null) {
    const invited = await requireUsableInvite(db, inviteToken);
    // People added to a workspace by address are taken to own that address.
    if (!addressKeys(invited).includes(addressKey(email)))
      throw invalid({ email: ['This invite is for another e-mail address.'] });
    return;
  }
  if (state === 'invite') throw forbidden('Registration is by invitation only.');
}

function insertAccount(
  trx: Transaction,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string | null },
): Promise<User> {
  return writeAddress(trx, { email, ownId: null }, () =>
    insertUser(trx, { name, email, password_hash: passwordHash }),
  );
}
