import type { FastifyReply } from 'fastify';
import { findUserByEmail, lockFirstAndLastAccount } from '../accounts/queries.ts';
import { addAccount, registrationState } from '../accounts/register-account.ts';
import { hasSecondFactor } from '../accounts/second-factor-queries.ts';
import { setSecondStepCookie } from '../accounts/second-step-cookie.ts';
import { startSession } from '../accounts/sessions.ts';
import { beginSecondStep, overtaken, signIn } from '../accounts/sign-in.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { acceptInvitesOf } from '../members/accept-invite.ts';
import { connect } from './connect.ts';
import { SignOnProblem } from './problem.ts';
import type { Arrival, Identity } from './provider.ts';
import { findOwner } from './queries.ts';

/**
 * Signs in the person whom the provider vouches for, or registers them if they could register by hand.
 * @returns the next address of the browser
 * @throws SignOnProblem
 */
export async function enter(
  context: Context,
  reply: FastifyReply,
  arrival: Arrival,
  next: string,
): Promise<string> {
  const userId = await findOwner(context.db, arrival);
  if (userId === null) return register(context, reply, arrival, next);
  const refuseFormerOwner = async (trx: Transaction) => {
    if ((await findOwner(trx, arrival)) !== userId) throw overtaken();
  };
  if (await hasSecondFactor(context.db, userId)) {
    setSecondStepCookie(context, reply, await beginSecondStep(context, userId, refuseFormerOwner));
    return `/sign-in?${new URLSearchParams({ step: 'second', next })}`;
  }
  await signIn(context, reply, userId, async (trx) => {
    await refuseFormerOwner(trx);
    if (await hasSecondFactor(trx, userId)) throw overtaken();
  });
  return next;
}

/**
 * An account with the same address is not taken over: its creator may not own the address, and could later come in by the
 * password.
 */
async function register(
  context: Context,
  reply: FastifyReply,
  arrival: Arrival,
  next: string,
): Promise<string> {
  const { name, email } = await arrival.profile();
  if (email === null) throw new SignOnProblem('unverified');
  const identity: Identity = { issuer: arrival.issuer, subject: arrival.subject };
  const { registration } = context.config;
  let isInvited = false;
  const setCookie = await context.db.transaction().execute(async (trx) => {
    if (registration === 'first') await lockFirstAndLastAccount(trx);
    if (await findUserByEmail(trx, email)) throw new SignOnProblem('address_taken');
    const state = await registrationState(trx, registration);
    if (state === 'closed') throw new SignOnProblem('closed');
    const person = { name, email, passwordHash: null };
    const user = await addAccount(trx, reply.request, person, async (userId, actor) => {
      isInvited = (await acceptInvitesOf(trx, email, userId, actor)) > 0;
      if (state === 'invite' && !isInvited) throw new SignOnProblem('not_invited');
      await connect(trx, userId, identity, actor);
      return isInvited;
    });
    return startSession(context, trx, reply.request, user.id);
  });
  setCookie(reply);
  // The link of an invite is no longer needed.
  return isInvited ? '/' : next;
}
