import { ownMember } from '../../fields/property.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import { isEmailAddress } from '../../fields/types/email.ts';
import type { Context } from '../context.ts';
import { violates } from '../db/constraint-errors.ts';
import { HttpError } from '../http/errors.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { releaseSubmission } from '../submissions/set-aside/release-submission.ts';
import { accountOf, type PaymentAccount } from './account.ts';
import { type Checkout, isUnderWay, type ReceivedPayment } from './checkout.ts';
import { paymentPage } from './payment-link.ts';
import { findOneUnpaid, noteCheckout, type Unpaid } from './queries.ts';
import { askSession, createSession } from './sessions.ts';

/** How long a page at Stripe can be used; Stripe takes 30 minutes to 24 hours. */
const PAGE_SECONDS = 3_600;
/** A page has to be open this long when it is made. */
const SHORTEST_SECONDS = 31 * 60;
/** Stripe is asked again after half the time that has passed since the beginning, within these limits. */
const SHORTEST_PAUSE = 60;
const LONGEST_PAUSE = 6 * 3_600;
/** How long money may be on its way. */
const PROCESSING_SECONDS = 14 * 86_400;
/** Tries to note what another process notes at the same time. */
const MAX_TRIES = 5;

/** The parts of a form that is paid for. */
type ChargingForm = Pick<PublishedForm, 'id' | 'workspaceId'>;

/** How a payment stands: `gone` when nothing waits any more, as it was released or deleted; `unasked` when Stripe did not answer. */
export type Standing = Checkout['state'] | 'gone' | 'unknown' | 'unasked';

/**
 * Leads to a page at Stripe where the amount can be paid: the one that is open, or a new one. It is noted before Stripe is asked, so that
 * two requests at the same time, or one that is made again, get the same page.
 * @returns its address; null when Stripe made none, or the workspace is not connected
 */
export async function beginPayment(
  context: Context,
  form: PublishedForm,
  unpaid: Unpaid,
): Promise<string | null> {
  const account = await accountOf(context, form.workspaceId);
  if (account === null) return null;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const current = await findOneUnpaid(context.db, form.id, unpaid.id);
    if (current === null) return null;
    const begun = await begin(context, form, current, account);
    if (begun === null) continue;
    const { checkout } = begun;
    if (checkout.session) return checkout.session.url;
    const session = await createSession(context, account.secretKey, sessionFor(context, form, begun));
    if (session === null) return null;
    if (await noteCheckout(context.db, form.id, begun, { ...checkout, session })) return session.url;
  }
  return null;
}

/** @returns what waits, with a page that is open or about to be made; null when that was changed meanwhile */
async function begin(
  { db }: Context,
  { id: formId }: ChargingForm,
  unpaid: Unpaid,
  { accountId, mode }: PaymentAccount,
): Promise<(Unpaid & { checkout: Checkout }) | null> {
  const { checkout: known } = unpaid;
  const now = seconds();
  const isUsable = known?.session != null || (known?.expiresAt ?? 0) - now >= SHORTEST_SECONDS;
  if (known && isUnderWay(known) && isUsable) return { ...unpaid, checkout: known };
  const checkout: Checkout = {
    state: 'open',
    attempt: (known?.attempt ?? 0) + 1,
    expiresAt: now + PAGE_SECONDS,
    session: null,
    account: accountId,
    mode,
    begunAt: now,
    askAt: now + SHORTEST_PAUSE,
  };
  return (await noteCheckout(db, formId, unpaid, checkout)) ? { ...unpaid, checkout } : null;
}

function sessionFor(
  context: Context,
  form: PublishedForm,
  { due, publicId, answers, checkout }: Unpaid & { checkout: Checkout },
) {
  const { url } = paymentPage(context, form, { publicId, due });
  const { expiresAt, attempt } = checkout;
  const emails = form.properties
    .filter(({ type }) => canonicalTypeName(type) === 'email')
    .flatMap(({ id }) => ownMember(answers, id) ?? []);
  const [email] = emails;
  const isOnly = emails.length === 1 && typeof email === 'string' && isEmailAddress(email);
  const about = { title: form.title, formId: form.uuid, publicId, due };
  return { ...about, url, email: isOnly ? email : null, expiresAt, attempt };
}

/**
 * Asks Stripe how a payment stands, and takes in what is paid. What the form does not take in stays aside, with the reason. Safe to be
 * called by several processes at once.
 * @throws HttpError 503 when the database is too busy to take it in: ask again
 */
export async function settlePayment(context: Context, form: ChargingForm, id: number): Promise<Standing> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const unpaid = await findOneUnpaid(context.db, form.id, id);
    if (unpaid === null) return 'gone';
    const { checkout } = unpaid;
    if (checkout === null || !isUnderWay(checkout)) return checkout?.state ?? 'closed';
    const settled = await settle(context, form, { ...unpaid, checkout });
    if (settled !== null) return settled;
  }
  return 'unasked';
}

/** @returns null when something was noted meanwhile */
async function settle(
  context: Context,
  form: ChargingForm,
  unpaid: Unpaid & { checkout: Checkout },
): Promise<Standing | null> {
  const { checkout, due } = unpaid;
  const found = await ask(context, form, unpaid);
  const note = async (known: Partial<Checkout>, standing: Standing = known.state ?? checkout.state) => {
    const { isUnknown: _, ...rest } = checkout;
    const next = { ...rest, askAt: nextAsk(checkout), ...known };
    return (await noteCheckout(context.db, form.id, unpaid, next)) ? standing : null;
  };
  switch (found.kind) {
    case 'open':
      return note({});
    case 'expired':
      return note({ state: 'closed' });
    case 'processing': {
      const isOver = seconds() - checkout.begunAt > PROCESSING_SECONDS;
      return note({ state: isOver ? 'closed' : 'processing' });
    }
    case 'unknown':
      return note({ isUnknown: true }, 'unknown');
    case 'unasked':
      return note({ ...(checkout.isUnknown && { isUnknown: true }) }, 'unasked');
    case 'paid': {
      const payment = { ...due, reference: found.reference, mode: checkout.mode, at: new Date() };
      const refusal = await takeIn(context, form, unpaid, payment);
      if (refusal === null) return 'gone';
      const known = { reference: payment.reference, at: payment.at.toISOString() };
      return note({ state: 'paid', payment: known, refusal });
    }
  }
}

async function ask(
  context: Context,
  form: ChargingForm,
  { checkout, publicId }: Unpaid & { checkout: Checkout },
): Promise<Awaited<ReturnType<typeof askSession>>> {
  const { session, expiresAt, account: accountId, mode } = checkout;
  // Nobody was led to a page that Stripe did not name.
  if (session === null) return { kind: seconds() > expiresAt ? 'expired' : 'open' };
  const account = await accountOf(context, form.workspaceId);
  if (account === null || account.accountId !== accountId || account.mode !== mode)
    return { kind: 'unknown' };
  return askSession(context, account.secretKey, { id: session.id, publicId });
}

/** @returns why the form does not take it in; null when it has, also just before, by another process */
async function takeIn(
  context: Context,
  form: ChargingForm,
  { id }: Unpaid,
  payment: ReceivedPayment,
): Promise<string | null> {
  try {
    await releaseSubmission(context, { id: form.id, workspaceId: null }, id, { actor: null, payment });
    return null;
  } catch (error) {
    // What was paid the first time is in the trash.
    if (violates(error, 'payments_pkey')) return 'It has been paid for, and taken in, before.';
    if (!(error instanceof HttpError) || error.statusCode >= 500) throw error;
    const isGone = error.statusCode === 404 && (await findOneUnpaid(context.db, form.id, id)) === null;
    return isGone ? null : error.message;
  }
}

function nextAsk({ begunAt }: Checkout): number {
  const now = seconds();
  const pause = Math.min(Math.max((now - begunAt) / 2, SHORTEST_PAUSE), LONGEST_PAUSE);
  return Math.round(now + pause);
}

function seconds(): number {
  return Math.floor(Date.now() / 1_000);
}
