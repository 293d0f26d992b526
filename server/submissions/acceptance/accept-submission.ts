import type { Answers, ErrorBag } from '../../../fields/property.ts';
import type { Context } from '../../context.ts';
import { endOfTurn } from '../../end-of-turn.ts';
import { HttpError, invalid, isRefusal, publicFormNotFound } from '../../http/errors.ts';
import { admitUnpaid } from '../../payments/admit-unpaid.ts';
import type { LinkHolder } from '../../recipients/link-queries.ts';
import { answeringHolder } from '../../recipients/personal-link.ts';
import {
  addressToConfirm,
  type Confirmation,
  countConfirmation,
  refuseIfTooManyWait,
} from '../confirmation/ask-sender.ts';
import { lookAtForm } from '../look-at-form.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import type { Reason } from '../set-aside/reasons.ts';
import { type PageSigns, type Suspicion, suspect } from '../set-aside/suspect.ts';
import { type Change, staysPartial } from '../store-change.ts';
import { type Acknowledgement, acknowledge } from './acknowledgement.ts';
import { checkCaptcha } from './captcha.ts';
import { isEdit, isPartialAnswer } from './envelope.ts';
import { checkFormPassword, formFull, refuseIfClosed } from './form-access.ts';
import { numberAnswers } from './judge-answers.ts';
import { judgeSubmission } from './judge-submission.ts';
import { awaitReplay, findReplay, type Idempotency, readIdempotencyKey } from './replay.ts';
import { storeSubmission } from './store-submission.ts';

/** One POST to the answer endpoint. */
export interface AnswerRequest {
  /** Slug or UUID of the form. */
  formRef: string;
  body: Answers;
  formPassword: string | undefined;
  /** The secret part of a personal link, unchecked. */
  personalCode: unknown;
  idempotencyKey: string | undefined;
  /** What must be the same when the Idempotency-Key comes again; without it, the body. */
  fingerprint?: string;
  /** Set when the answers come from the form's page: its language. The sum may then serve as captcha, and problems are told in that language. */
  pageLanguage?: string;
  /** IP address of the sender; used only to count wrong guesses of a form's password, and the same text sent again and again. */
  address: string;
  /** Set when the answers come from the page of a form that sets spam aside. */
  page?: PageSigns | null;
}

/**
 * Takes a submission in: finds the form, checks everything, stores. Resolves after the commit.
 * A request that was acknowledged under an Idempotency-Key is acknowledged again, even if the form has been closed since.
 * @throws HttpError 403, 404, 422, 429 or 503
 */
export async function acceptSubmission(context: Context, request: AnswerRequest): Promise<Acknowledgement> {
  const sender: Attempt['sender'] = { isProvenHuman: false, suspicion: null, mailedTo: null };
  try {
    const acknowledgement = await takeIn(context, request, sender);
    if (acknowledgement.isReplay) sender.suspicion?.takeBack();
    return acknowledgement;
  } catch (error) {
    sender.suspicion?.takeBack();
    throw error;
  }
}

async function takeIn(
  context: Context,
  request: AnswerRequest,
  sender: Attempt['sender'],
): Promise<Acknowledgement> {
  // Requests that arrive in the same turn are judged together, as they are stored together.
  await endOfTurn();
  return withCurrentForm(context, request.formRef, async (form) => {
    const idempotency = idempotencyOf(form, request);
    try {
      return await submit(context, form, { request, idempotency, sender });
    } catch (error) {
      const replay = isRefusal(error) ? await findReplay(context, form, idempotency) : null;
      if (replay) return replay;
      throw error;
    }
  });
}

/**
 * Checks answers as `acceptSubmission` does, but stores nothing. The captcha is not checked, as that would use it up.
 * @param only ids of the fields whose problems count; null = all
 * @throws HttpError 403, 404, 422, 429 or 503
 */
export async function checkSubmission(
  context: Context,
  request: AnswerRequest,
  only: string[] | null,
): Promise<void> {
  await withCurrentForm(context, request.formRef, async (form) => {
    await refuseIfNotOpen(context, form, request);
    await judgeSubmission(context, form, request).catch((refusal: unknown) =>
      throwLimited(form, refusal, only),
    );
    return true;
  });
}

/**
 * Runs `attempt` with the published form. The form may come from the cache, so a refusal counts only if the form is still
 * current; otherwise `attempt` runs again with the form as it is now.
 * @param attempt returns null when the form changed meanwhile
 */
async function withCurrentForm<Result>(
  { db, publishedForms }: Context,
  formRef: string,
  attempt: (form: PublishedForm) => Promise<Result | null>,
): Promise<Result> {
  let formId: number | null = null;
  return lookAtForm(
    db,
    () => formId,
    async () => {
      const form = await publishedForms.find(formRef);
      if (!form) throw publicFormNotFound();
      formId = form.id;
      try {
        const taken = await attempt(form);
        if (taken === null) publishedForms.forget(form.id);
        return taken;
      } catch (error) {
        if (!isRefusal(error) || (await publishedForms.isCurrent(form))) throw error;
        return null;
      }
    },
  );
}

/** @returns the holder of the personal link that was used; null without one */
async function refuseIfNotOpen(
  context: Context,
  form: PublishedForm,
  { formPassword, address, body, personalCode }: AnswerRequest,
): Promise<LinkHolder | null> {
  refuseIfClosed(form);
  await checkFormPassword(context, form, formPassword, address);
  if (form.personalLinks === null || isEdit(form, body)) return null;
  return answeringHolder(context, form, personalCode);
}

/** Throws the refusal, reduced to the problems of the fields in `only`; returns when those have none. */
function throwLimited(form: PublishedForm, refusal: unknown, only: string[] | null): void {
  if (!only || !(refusal instanceof HttpError) || refusal.statusCode !== 422) throw refusal;
  const errors = Object.entries((refusal.members.errors ?? {}) as ErrorBag);
  const named = errors.filter(([key]) => only.includes(key));
  if (named.length > 0) throw invalid(Object.fromEntries(named), form.compiled.messages.andMore);
}

interface Attempt {
  request: AnswerRequest;
  idempotency: Idempotency | null;
  /** Kept across attempts, so that nobody solves the captcha again, or is suspected or counted anew, because the form changed meanwhile. */
  sender: {
    isProvenHuman: boolean;
    suspicion: Suspicion | null;
    /** Address whose mail was counted. */
    mailedTo: string | null;
  };
}

/** @returns null when the form changed meanwhile. */
async function submit(
  context: Context,
  form: PublishedForm,
  attempt: Attempt,
): Promise<Acknowledgement | null> {
  const { request, idempotency } = attempt;
  const holder = await refuseIfNotOpen(context, form, request);
  const change = await judgeSubmission(context, form, request);
  const replay = await proveHuman(context, form, attempt);
  if (replay) return replay;
  const due = change.due && (await admitUnpaid(context, form, change.due, request.address));
  // Nobody pays for spam.
  const reasons = due
    ? (['unpaid'] as const)
    : await reasonsToSetAside(context, form, { ...change, linkHolder: holder }, attempt);
  const confirmation =
    reasons.length > 0 ? null : await confirmationOf(context, form, { ...change, holder }, attempt);
  // What is set aside is numbered when it is released.
  const isStored = reasons.length === 0 && confirmation === null;
  if (isStored && (change.kind === 'new' || change.kind === 'complete'))
    await numberAnswers(context.db, form, change.answers);
  const outcome = await storeSubmission(context, form, {
    ...change,
    due,
    idempotency,
    linkHolder: holder,
    reasons: confirmation ? ['unconfirmed_email'] : reasons,
    confirmation,
  });
  switch (outcome.kind) {
    case 'stored':
      return acknowledge(context, form, {
        publicId: change.publicId,
        isPartial: staysPartial(change),
        isFirst: outcome.isFirst,
        isReplay: false,
      });
    case 'full':
      throw formFull();
    case 'missing':
      throw missingSubmission(change.kind);
    case 'used_key':
      return findReplay(context, form, idempotency);
    case 'stale':
      return null;
  }
}

/**
 * Uses up the captcha's solution, which can be used only once, as the next auto-increment number. So it runs after all other
 * checks, and looks for a request that was answered before.
 * @returns the earlier acknowledgement, if the same request was answered before
 */
async function proveHuman(
  context: Context,
  form: PublishedForm,
  { request, idempotency, sender }: Attempt,
): Promise<Acknowledgement | null> {
  const needsCaptcha = form.useCaptcha && !sender.isProvenHuman;
  const givesNumber = form.compiled.autoIncrementIds.length > 0;
  const mayBeReplay =
    needsCaptcha || givesNumber || form.setsSpamAside || form.confirmsEmail !== null || form.payment !== null;
  const known = mayBeReplay ? await findReplay(context, form, idempotency) : null;
  if (known) return known;
  if (needsCaptcha) {
    const solved = checkCaptcha(context, form, request.body, request.pageLanguage !== undefined);
    const replay = await solved.catch((refusal) => awaitReplay(context, form, idempotency, refusal));
    if (replay) return replay;
    sender.isProvenHuman = true;
  }
  return null;
}

/** Only of new complete submissions: a personal link tells who sends, and what was begun or sent before is known already. */
async function reasonsToSetAside(
  context: Context,
  form: PublishedForm,
  change: Pick<Change, 'kind' | 'answers' | 'linkHolder'>,
  { request: { address, page = null }, sender }: Attempt,
): Promise<readonly Reason[]> {
  if (!form.setsSpamAside || change.kind !== 'new' || change.linkHolder !== null) return [];
  sender.suspicion ??= await suspect(context, form, change, { address, page });
  return sender.suspicion.reasons;
}

/**
 * What the sender has to confirm; null for nothing.
 * @throws HttpError 429
 */
async function confirmationOf(
  context: Context,
  form: PublishedForm,
  change: Pick<Change, 'kind' | 'answers'> & { holder: LinkHolder | null },
  { request, sender }: Attempt,
): Promise<Confirmation | null> {
  const address = addressToConfirm(form, change, change.holder);
  if (address === null) return null;
  await refuseIfTooManyWait(context, form);
  if (sender.mailedTo !== address) await countConfirmation(context, form, { address, ip: request.address });
  sender.mailedTo = address;
  return { address, language: request.pageLanguage ?? form.presentation.language };
}

function missingSubmission(kind: Change['kind']): HttpError {
  if (kind === 'edit') return new HttpError(404, 'Submission not found.', { error: 'submission_not_found' });
  return invalid({ submission_hash: ['The selected submission hash is invalid.'] });
}

/**
 * The same answers sent by another person's link are another request, so the code of the link is hashed too. On an anonymous form
 * it is not, as whoever knows all codes could find out by trying which one an answer came by. There the key of a partial answer is
 * ignored, or one person could go on with what another began; unless the form's page sent it, whose keys are random.
 */
function idempotencyOf(form: PublishedForm, request: AnswerRequest): Idempotency | null {
  const { idempotencyKey, body, fingerprint, personalCode } = request;
  const isAnonymous = form.personalLinks?.anonymous === true;
  if (isAnonymous && fingerprint === undefined && isPartialAnswer(body)) return null;
  const whose = typeof personalCode === 'string' && !isAnonymous ? ` ${personalCode}` : '';
  return readIdempotencyKey(idempotencyKey, () => (fingerprint ?? JSON.stringify(body)) + whose, {
    unproven: isAnonymous && !isEdit(form, body) ? { personalCode } : null,
  });
}
