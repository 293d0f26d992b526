import type { FastifyReply } from 'fastify';
import { ownMember } from '../../../fields/property.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { HttpError, notFound } from '../../http/errors.ts';
import { wantsHtml } from '../../http/request/wants-html.ts';
import { openSubmissionHash, publicIdIn } from '../../submissions/acceptance/submission-hash.ts';
import { countConfirmation } from '../../submissions/confirmation/ask-sender.ts';
import { isConfirmationToken } from '../../submissions/confirmation/confirmation-link.ts';
import { scheduleConfirmation } from '../../submissions/confirmation/mail-confirmation.ts';
import { findConfirmedAddresses, findWaiting, type Waiting } from '../../submissions/confirmation/queries.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { releaseSubmission } from '../../submissions/set-aside/release-submission.ts';
import { createFailurePage } from '../failure.ts';
import { sendMessage } from '../page/send-page.ts';
import { type FindAskedForm, type PageRequest, pageParams } from '../page-request.ts';
import { addressAfterSending, thankYouPath } from '../posting/after-sending.ts';
import { ignoreBodies } from '../posting/posted-body.ts';
import { findAnswers } from '../queries.ts';
import { queryOf } from '../visit/visit.ts';
import type { VisitedForm } from '../visit/visited-form.ts';
import {
  confirmedPage,
  confirmPage,
  keptPage,
  type Obstacle,
  type SentAgain,
  unknownLinkPage,
} from './confirm-pages.ts';

/** What a mailed link is about. */
type Standing =
  | { kind: 'waiting'; publicId: string; waiting: Waiting }
  | { kind: 'stored'; publicId: string }
  | { kind: 'unknown' };

/** What programs are told. */
export const OBSTACLES: Record<Obstacle, string> = {
  closedTitle: 'The form is closed.',
  fullTitle: 'The form has received all the submissions it takes.',
  confirmUnfit: 'The answers do not fit the form any more.',
};

/** Where senders confirm their address: server/submissions/confirmation/. The link alone does nothing, as programs open links. */
export async function registerConfirmation(app: App, context: Context, find: FindAskedForm): Promise<void> {
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };
  const options = { config, schema: { params: pageParams, hide: true } };

  app.get('/forms/:form/confirm', options, async (request: PageRequest, reply) => {
    const visited = await find(request);
    const { form } = visited;
    const token = queryOf(request).get('token') ?? '';
    const standing = await standingOf(context, form, token);
    if (standing.kind === 'unknown') return refuseLink(context, reply, form);
    if (standing.kind === 'stored') return sendMessage(context, reply, form, confirmedPage(form));
    const obstacle = obstacleOf(visited);
    if (obstacle) return refuseAnswers(context, reply, form, obstacle);
    return sendMessage(context, reply, form, confirmPage(form, standing.waiting.address, token));
  });

  await app.register(async (scope) => {
    ignoreBodies(scope);

    scope.post('/forms/:form/confirm', options, async (request: PageRequest, reply) => {
      const visited = await find(request);
      return confirm(context, reply, visited, queryOf(request).get('token') ?? '');
    });

    scope.post('/forms/:form/send-again', options, async (request: PageRequest, reply) => {
      const { form } = await find(request);
      const receipt = queryOf(request).get('receipt') ?? '';
      const publicId = openSubmissionHash(context.secrets, form.id, receipt, 'receipt');
      if (publicId === null) return refuseLink(context, reply, form);
      const sent = await sendAgain(context, form, { publicId, ip: request.ip });
      const path = thankYouPath(context, form, publicId);
      return reply.redirect(sent === null ? path : `${path}&sent=${sent}`, 303);
    });
  });
}

/** For a link that was never given, or whose answers are gone. @throws HttpError 404 to a program */
export function refuseLink(
  context: Context,
  reply: FastifyReply,
  form: PublishedForm,
): Promise<FastifyReply> {
  if (!wantsHtml(reply.request)) throw notFound('Submission');
  return sendMessage(context, reply, form, unknownLinkPage(form));
}

/** @throws HttpError 403 or 422 to a program */
function refuseAnswers(
  context: Context,
  reply: FastifyReply,
  form: PublishedForm,
  obstacle: Obstacle,
): Promise<FastifyReply> {
  const page = keptPage(form, obstacle);
  if (!wantsHtml(reply.request))
    throw new HttpError(page.status, `${OBSTACLES[obstacle]} The answers are kept.`);
  return sendMessage(context, reply, form, page);
}

/** Leads on as after sending. What the form does not take in stays, and the page says why. */
async function confirm(
  context: Context,
  reply: FastifyReply,
  visited: VisitedForm,
  token: string,
): Promise<FastifyReply> {
  const { form } = visited;
  const standing = await standingOf(context, form, token);
  if (standing.kind === 'unknown') return refuseLink(context, reply, form);
  if (standing.kind === 'waiting') {
    const obstacle = obstacleOf(visited) ?? (await release(context, form, standing.waiting));
    if (obstacle) return refuseAnswers(context, reply, form, obstacle);
  }
  const sent = { submissionId: standing.publicId, answers: {} };
  return reply.redirect(await addressAfterSending(context, form, sent), 303);
}

/** @returns why the form does not take it in; null when it has, also just before, by the same button */
async function release(context: Context, form: PublishedForm, { id }: Waiting): Promise<Obstacle | null> {
  try {
    await releaseSubmission(context, { id: form.id, workspaceId: null }, id, { actor: null });
    return null;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    if (error.statusCode === 404) return null;
    const obstacle = obstacleIn(error);
    if (obstacle) return obstacle;
    throw error;
  }
}

/** What a refused release says to the sender; null when it is about something else. */
export function obstacleIn({ statusCode, members }: HttpError): Obstacle | null {
  if (members.error === 'form_full') return 'fullTitle';
  return statusCode === 422 ? 'confirmUnfit' : null;
}

/** Why the form takes nothing in at present; null if it does. */
export function obstacleOf({ isClosed, isFull }: VisitedForm): Obstacle | null {
  if (isClosed) return 'closedTitle';
  return isFull ? 'fullTitle' : null;
}

async function standingOf({ db, secrets }: Context, form: PublishedForm, token: string): Promise<Standing> {
  const publicId = publicIdIn(token);
  if (publicId === null) return { kind: 'unknown' };
  const isFor = (address: unknown) =>
    typeof address === 'string' &&
    isConfirmationToken(secrets, token, { formId: form.id, publicId, address });
  const waiting = await findWaiting(db, form.id, publicId);
  if (waiting && isFor(waiting.address)) return { kind: 'waiting', publicId, waiting };
  const stored = await findAnswers(db, form.id, publicId, 'completed');
  if (!stored) return { kind: 'unknown' };
  const confirmed = (await findConfirmedAddresses(db, form.id, [publicId])).get(publicId);
  // A member may have taken it in, without a confirmation.
  const given = form.confirmsEmail === null ? null : ownMember(stored, form.confirmsEmail);
  return isFor(confirmed?.address) || isFor(given) ? { kind: 'stored', publicId } : { kind: 'unknown' };
}

/** @returns null when it does not wait any more */
async function sendAgain(
  context: Context,
  form: PublishedForm,
  { publicId, ip }: { publicId: string; ip: string },
): Promise<SentAgain | null> {
  const waiting = await findWaiting(context.db, form.id, publicId);
  if (!waiting) return null;
  try {
    await countConfirmation(context, form, { address: waiting.address, ip });
  } catch (error) {
    if (error instanceof HttpError) return 'often';
    throw error;
  }
  await scheduleConfirmation(context.db, form, { publicId, language: form.presentation.language });
  return 'again';
}
