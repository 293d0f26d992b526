import type { FastifyReply } from 'fastify';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError, publicFormNotFound } from '../../http/errors.ts';
import { wantsHtml } from '../../http/request/wants-html.ts';
import { hasTestAccount } from '../../payments/account-queries.ts';
import { beginPayment, type Standing, settlePayment } from '../../payments/collect.ts';
import { isPaymentToken } from '../../payments/payment-link.ts';
import { findPayment, findUnpaid, type Unpaid } from '../../payments/queries.ts';
import { stripeUnavailable } from '../../payments/stripe.ts';
import { publicIdIn } from '../../submissions/acceptance/submission-hash.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { wouldRefuse } from '../../submissions/set-aside/release-submission.ts';
import { OBSTACLES, obstacleIn, obstacleOf, refuseLink } from '../confirmation/confirm.ts';
import type { Obstacle } from '../confirmation/confirm-pages.ts';
import { createFailurePage } from '../failure.ts';
import { sendMessage } from '../page/send-page.ts';
import { type FindAskedForm, type PageRequest, pageParams } from '../page-request.ts';
import { addressAfterSending } from '../posting/after-sending.ts';
import { ignoreBodies } from '../posting/posted-body.ts';
import { queryOf } from '../visit/visit.ts';
import type { VisitedForm } from '../visit/visited-form.ts';
import { findPaidForm, type PaidForm } from './paid-form.ts';
import { isStripePage, linkPage, notPayablePage, paymentStatePage, payPage } from './pay-pages.ts';

/** What a link to pay is about. */
interface Found {
  publicId: string;
  /** null when it is paid for and taken in. */
  unpaid: Unpaid | null;
}

/** Where senders pay: server/payments/. The link alone begins no payment, as programs open links. */
export async function registerPayment(app: App, context: Context, find: FindAskedForm): Promise<void> {
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };
  const options = { config, schema: { params: pageParams, hide: true } };
  const PATH = '/forms/:form/pay';

  app.get(PATH, options, async (request: PageRequest, reply) => {
    const visited = await findPaidForm(context, find, request);
    const token = queryOf(request).get('token') ?? '';
    return answer(context, reply, visited, token, (unpaid) =>
      showPayPage(context, reply, visited, { unpaid, token, hasFailed: false }),
    );
  });

  await app.register(async (scope) => {
    ignoreBodies(scope);

    scope.post(PATH, options, async (request: PageRequest, reply) => {
      const visited = await findPaidForm(context, find, request);
      const token = queryOf(request).get('token') ?? '';
      return answer(context, reply, visited, token, (unpaid) =>
        leadToStripe(context, reply, visited, { unpaid, token }),
      );
    });
  });
}

/**
 * Finds out how the payment stands, and answers with that.
 * @param goOn what to do while it can still be paid
 */
async function answer(
  context: Context,
  reply: FastifyReply,
  visited: PaidForm,
  token: string,
  goOn: (unpaid: Unpaid) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const { form, isHidden } = visited;
  const refuseToken = () => {
    if (isHidden) throw publicFormNotFound();
    return refuseLink(context, reply, form);
  };
  // Nobody keeps a page that says how a payment stands.
  reply.header('cache-control', 'no-store');
  const found = await findByToken(context, form, token);
  if (found === null) return refuseToken();
  const { unpaid, publicId } = found;
  const standing = unpaid === null ? 'gone' : await settlePayment(context, form, unpaid.id);
  if (unpaid === null || standing === 'gone') {
    const payment = await findPayment(context.db, form.id, publicId);
    if (!payment) return refuseToken();
    if (isHidden) return sendMessage(context, reply, form, paymentStatePage(form, payment, 'thankYouText'));
    return reply.redirect(
      await addressAfterSending(context, form, { submissionId: publicId, answers: {} }),
      303,
    );
  }
  return tellStanding(context, reply, form, { standing, unpaid, goOn: () => goOn(unpaid) });
}

function tellStanding(
  context: Context,
  reply: FastifyReply,
  form: PublishedForm,
  { standing, unpaid, goOn }: { standing: Standing; unpaid: Unpaid; goOn: () => Promise<FastifyReply> },
): Promise<FastifyReply> {
  const tell = (text: Parameters<typeof paymentStatePage>[2]) =>
    sendMessage(context, reply, form, paymentStatePage(form, unpaid.due, text));
  if (standing === 'processing') return tell('payProcessing');
  if (standing === 'unknown') return tell('payUnknown');
  if (standing === 'paid') return tell('paidKept');
  return goOn();
}

async function showPayPage(
  context: Context,
  reply: FastifyReply,
  visited: VisitedForm,
  { unpaid, token, hasFailed }: { unpaid: Unpaid; token: string; hasFailed: boolean },
): Promise<FastifyReply> {
  const { form } = visited;
  const obstacle = obstacleOf(visited);
  if (obstacle) return refuse(context, reply, form, obstacle);
  const isTest = await hasTestAccount(context.db, form.workspaceId);
  return sendMessage(context, reply, form, payPage(form, { due: unpaid.due, token, isTest }, hasFailed));
}

/** Before anything is paid the form must still take the answers in. */
async function leadToStripe(
  context: Context,
  reply: FastifyReply,
  visited: VisitedForm,
  { unpaid, token }: { unpaid: Unpaid; token: string },
): Promise<FastifyReply> {
  const { form } = visited;
  const refusal = obstacleOf(visited) ?? (await refusalOf(context, form, unpaid));
  if (refusal) return refuse(context, reply, form, refusal);
  const url = await beginPayment(context, form, unpaid);
  if (url === null) {
    if (!wantsHtml(reply.request)) throw stripeUnavailable();
    reply.header('retry-after', '5');
    return showPayPage(context, reply, visited, { unpaid, token, hasFailed: true });
  }
  if (isStripePage(url) || !wantsHtml(reply.request)) return reply.redirect(url, 303);
  return sendMessage(context, reply, form, linkPage(form, unpaid.due, url));
}

/** @returns why the form would not take in what waits; null when it would */
async function refusalOf(context: Context, form: PublishedForm, { id }: Unpaid): Promise<Obstacle | null> {
  const error = await wouldRefuse(context, form.id, id);
  return error && obstacleIn(error);
}

/** @throws HttpError 403 or 422 to a program */
function refuse(
  context: Context,
  reply: FastifyReply,
  form: PublishedForm,
  obstacle: Obstacle,
): Promise<FastifyReply> {
  const page = notPayablePage(form, obstacle);
  if (!wantsHtml(reply.request))
    throw new HttpError(
      page.status,
      `${OBSTACLES[obstacle]} The answers are kept, and nothing is to be paid.`,
    );
  return sendMessage(context, reply, form, page);
}

/** @returns null for a link that was never given, or whose answers are gone */
async function findByToken(
  { db, secrets }: Context,
  form: PublishedForm,
  token: string,
): Promise<Found | null> {
  const publicId = publicIdIn(token);
  if (publicId === null) return null;
  const isFor = (due: Unpaid['due']) => isPaymentToken(secrets, token, { formId: form.id, publicId, due });
  const unpaid = (await findUnpaid(db, form.id, publicId)).find(({ due }) => isFor(due));
  if (unpaid) return { publicId, unpaid };
  const payment = await findPayment(db, form.id, publicId);
  return payment && isFor(payment) ? { publicId, unpaid: null } : null;
}
