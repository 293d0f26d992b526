import { randomUUID } from 'node:crypto';
import { type Answers, addError, type ErrorBag, emptyErrorBag } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { databaseProblem } from '../db/constraint-errors.ts';
import { scheduleDeliveries } from '../deliveries/schedule-deliveries.ts';
import { idsIn, keepDrawings } from '../files/claim-files.ts';
import { claimFiles, releaseFiles } from '../files/queries.ts';
import { HttpError, invalid, isRefusal, publicFormNotFound, unavailable } from '../http/errors.ts';
import { type Acknowledgement, acknowledge } from './acknowledgement.ts';
import { checkCaptcha } from './captcha.ts';
import { type Envelope, readEnvelope } from './envelope.ts';
import { checkFormPassword, formFull, refuseIfClosed } from './form-access.ts';
import { judgeAnswers, numberAnswers } from './judge-answers.ts';
import { openSubmissionHash } from './partial-hash.ts';
import type { PublishedForm } from './published-forms.ts';
import { findSubmission } from './queries.ts';
import { awaitReplay, findReplay, readIdempotencyKey } from './replay.ts';
import { type Change, type ChangeOutcome, staysPartial, storeChange } from './store-change.ts';
import type { IntakeOutcome } from './store-queries.ts';

/** One POST to the answer endpoint. */
export interface AnswerRequest {
  /** Slug or UUID of the form. */
  formRef: string;
  body: Answers;
  formPassword: string | undefined;
  idempotencyKey: string | undefined;
  /** What must be the same when the key comes again; the body when it is not given. */
  fingerprint?: string;
  /** By way of the form's page: the captcha may be its question, and problems are told in its words. */
  isFromPage?: boolean;
  /** Of the sender; only counts wrong guesses of a form's password. */
  address: string;
}

/** A form that changes faster than this many looks at it is not our form to answer. */
const MAX_LOOKS = 5;

/**
 * Takes a submission in: finds the form, checks everything, stores. Resolves after the commit.
 * What was acknowledged once under an Idempotency-Key is acknowledged again, also by a form that has been closed since.
 * @throws HttpError 403, 404, 422, 429 or 503
 */
export async function acceptSubmission(context: Context, request: AnswerRequest): Promise<Acknowledgement> {
  const session = { hasSolvedCaptcha: false };
  return withCurrentForm(context, request.formRef, async (form) => {
    try {
      return await submit(context, form, request, session);
    } catch (error) {
      const replay = isRefusal(error) ? await findReplay(context, form, idempotencyOf(request)) : null;
      if (replay) return replay;
      throw error;
    }
  });
}

/**
 * Checks answers as `acceptSubmission` does and stores nothing. No captcha is asked for, which would be spent.
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
    await judge(context, form, request).catch((refusal: unknown) => throwLimited(form, refusal, only));
    return true;
  });
}

/**
 * A refusal stands only when the form it was made against is still the form of this moment.
 * @param attempt returns null when the form changed meanwhile
 */
async function withCurrentForm<Result>(
  { publishedForms }: Context,
  formRef: string,
  attempt: (form: PublishedForm) => Promise<Result | null>,
): Promise<Result> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const form = await publishedForms.find(formRef);
    if (!form) throw publicFormNotFound();
    try {
      const result = await attempt(form);
      if (result !== null) return result;
      publishedForms.forget(form.id);
    } catch (error) {
      if (!isRefusal(error) || (await publishedForms.isCurrent(form))) throw error;
    }
  }
  throw unavailable();
}

async function refuseIfNotOpen(
  context: Context,
  form: PublishedForm,
  { formPassword, address }: AnswerRequest,
): Promise<void> {
  refuseIfClosed(form);
  await checkFormPassword(context, form, formPassword, address);
}

/** The problems of these fields, if there are any. */
function throwLimited(form: PublishedForm, refusal: unknown, only: string[] | null): void {
  if (!only || !(refusal instanceof HttpError) || refusal.statusCode !== 422) throw refusal;
  const errors = Object.entries((refusal.members.errors ?? {}) as ErrorBag);
  const named = errors.filter(([key]) => only.includes(key));
  if (named.length > 0) throw invalid(Object.fromEntries(named), form.compiled.messages.andMore);
}

/** @returns null when the form changed meanwhile. */
async function submit(
  context: Context,
  form: PublishedForm,
  request: AnswerRequest,
  session: { hasSolvedCaptcha: boolean },
): Promise<Acknowledgement | null> {
  const idempotency = idempotencyOf(request);
  await refuseIfNotOpen(context, form, request);
  const change = await judge(context, form, request);
  const needsCaptcha = form.useCaptcha && !session.hasSolvedCaptcha;
  if (needsCaptcha || form.compiled.autoIncrementIds.length > 0) {
    // A solution counts once, and a number is given once: neither is spent on what is refused or known.
    const replay = await findReplay(context, form, idempotency);
    if (replay) return replay;
  }
  if (needsCaptcha) {
    const isSolved = checkCaptcha(context, form, request.body, request.isFromPage === true);
    const replay = await isSolved.catch((refusal) => awaitReplay(context, form, idempotency, refusal));
    if (replay) return replay;
    session.hasSolvedCaptcha = true;
  }
  if (change.kind === 'new' || change.kind === 'complete')
    await numberAnswers(context.db, form, change.answers);
  const outcome = await store(context, form, { ...change, idempotency });
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

/** What is to be done, and with which answers. */
async function judge(context: Context, form: PublishedForm, { body, isFromPage }: AnswerRequest) {
  const errors = emptyErrorBag();
  const envelope = readEnvelope(body, errors);
  if (envelope.isPartial && !form.takesPartials)
    addError(errors, 'is_partial', 'This form does not take partial submissions.');
  const change = readChange(context, form, envelope);
  if (!change) addError(errors, 'submission_hash', 'The selected submission hash is invalid.');
  if (change?.kind === 'new_partial' && form.isEditable && envelope.submissionId !== null)
    addError(errors, 'is_partial', 'A completed submission cannot become partial.');
  const judged = await judgeAnswers(context.db, form, body, errors, {
    partial: envelope.isPartial,
    ownPublicId: change?.kind === 'edit' ? change.publicId : null,
    publicId: change?.publicId ?? randomUUID(),
    before: change && (await answersBefore(context, form, change)),
    ...(isFromPage && { rulesToTell: form.pageRules }),
  });
  if (!change) throw invalid(errors);
  if (envelope.isPartial && Object.keys(judged.answers).length === 0)
    throw invalid({ is_partial: ['At least one field must have a value for partial submissions.'] });
  return { ...change, ...judged };
}

/** What the submission has stored that is changed, where ids made for it are to stay. */
async function answersBefore(
  { db }: Context,
  form: PublishedForm,
  { kind, publicId }: { kind: Change['kind']; publicId: string },
): Promise<Answers | null> {
  const isNew = kind === 'new' || kind === 'new_partial';
  if (isNew || form.compiled.generatedIds.length === 0) return null;
  return (await findSubmission(db, form.id, { public_id: publicId }))?.data ?? null;
}

/** @returns null for a `submission_hash` that was not made for this form. */
function readChange(context: Context, form: PublishedForm, envelope: Envelope) {
  const { isPartial, completionTime, attribution } = envelope;
  const common = { completionTime, attribution };
  if (envelope.submissionHash !== null) {
    const publicId = openSubmissionHash(context.secrets, form.id, envelope.submissionHash);
    if (publicId === null) return null;
    return { kind: isPartial ? ('update_partial' as const) : ('complete' as const), publicId, ...common };
  }
  if (isPartial) return { kind: 'new_partial' as const, publicId: randomUUID() as string, ...common };
  if (envelope.submissionId !== null && form.isEditable)
    return { kind: 'edit' as const, publicId: envelope.submissionId, ...common };
  return { kind: 'new' as const, publicId: randomUUID() as string, ...common };
}

/** New complete submissions travel in batches; the rarer kinds, and what must not be there twice, take a transaction of their own. */
async function store(context: Context, form: PublishedForm, change: Change): Promise<ChangeOutcome> {
  const answers = await keepDrawings(context, form, change.answers);
  const isAlone = change.kind === 'new' && change.lookedAt === null;
  if (!isAlone) return storeChange(context, form, { ...change, answers });
  const { publicId } = change;
  const files = idsIn(form.compiled.fileTexts(answers));
  if (files.length === 0) return storeNew(context, form, { ...change, answers });
  // Taken by somebody else since the answers were judged: the next look says so.
  if (!(await claimFiles(context.db, form.id, files, publicId))) return { kind: 'stale' };
  try {
    const outcome = await storeNew(context, form, { ...change, answers });
    if (outcome.kind !== 'stored') await releaseFiles(context.db, form.id, publicId);
    return outcome;
  } catch (error) {
    // Of a statement without an answer nobody knows whether it stored: the claim ends by itself.
    if (isCertain(error)) await releaseFiles(context.db, form.id, publicId);
    throw error;
  }
}

/** Whether the submission was certainly not stored: refused by the intake, or for its content by the database. */
function isCertain(error: unknown): boolean {
  return error instanceof HttpError || databaseProblem(error) !== 'unavailable';
}

function storeNew(
  context: Context,
  form: PublishedForm,
  { publicId, answers, attribution, completionTime, idempotency }: Change,
): Promise<IntakeOutcome> {
  return context.intake.add({
    formId: form.id,
    formRevision: form.revision,
    publicId,
    data: JSON.stringify(answers),
    attribution: attribution && JSON.stringify(attribution),
    completionTime,
    idempotency,
    deliveries: scheduleDeliveries(form, { publicId, answers, attribution }),
  });
}

function missingSubmission(kind: Change['kind']): HttpError {
  if (kind === 'edit') return new HttpError(404, 'Submission not found.', { error: 'submission_not_found' });
  return invalid({ submission_hash: ['The selected submission hash is invalid.'] });
}

function idempotencyOf({ idempotencyKey, body, fingerprint }: AnswerRequest) {
  return readIdempotencyKey(idempotencyKey, () => fingerprint ?? JSON.stringify(body));
}
