import { createHash } from 'node:crypto';
import { hasDefault } from '../../../fields/block-options/prefill.ts';
import { CAPTCHA_TOKEN_NAMES } from '../../../fields/captcha-tokens.ts';
import type { Posted } from '../../../fields/html/read-post.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Shown } from '../../../fields/logic/shown.ts';
import {
  currentStep,
  indexOfPlace,
  nextStep,
  placeOf,
  type Step,
  type StepPlace,
  stepsOf,
} from '../../../fields/logic/steps.ts';
import { type Answers, type ErrorBag, emptyErrorBag } from '../../../fields/property.ts';
import { canonicalTypeName, isLayoutBlock } from '../../../fields/type-names.ts';
import type { Context } from '../../context.ts';
import { HttpError, invalid } from '../../http/errors.ts';
import { countPostedStep } from '../../statistics/count-posted-step.ts';
import { acceptSubmission } from '../../submissions/acceptance/accept-submission.ts';
import type { CompleteAcknowledgement } from '../../submissions/acceptance/acknowledgement.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { findAnswersOf, formToAnswer, isAsOpened } from '../show-form.ts';
import { dropDraft, type SaveDraft } from '../visit/drafts.ts';
import { personalVisit } from '../visit/personal-visit.ts';
import type { PageQuery, Visit } from '../visit/visit.ts';
import { hashOfFirstSave } from './first-save.ts';
import type { PostedBody } from './posted-body.ts';
import { readAnswers } from './read-answers.ts';
import { signsOf } from './spam-signs.ts';
import { firstWrongStep, problemsUpTo } from './step-problems.ts';
import { withUnshown } from './unshown-answers.ts';

/** Files that came with a form. */
export interface PostedFiles {
  /** Values that stand for them in the body; they differ each time the files are sent. */
  references: Set<string>;
  /** Hashes of field, name and content. */
  digests: string[];
  /** Problems with the files, by field id. */
  problems: ErrorBag;
}

/** A form as a browser sent it. */
export interface PostedForm {
  form: PublishedForm;
  visit: Visit;
  saveDraft: SaveDraft;
  /** The body as it came, with files replaced by references. */
  body: PostedBody;
  posted: Posted;
  files: PostedFiles;
  /** Sent by a page of ours, which has every field; a form on another site may have fewer. */
  isOwnPage: boolean;
  /** Sent by the script of our page, which has checked the steps itself. */
  isByScript: boolean;
  /** Sent by a person, to an open form: the statistics count it. */
  isVisitor: boolean;
  /** The script of the page tells the statistics how far the visit comes. */
  isFollowed: boolean;
  /** The button to go back was pressed. */
  goesBack: boolean;
  /** See `FormPage.sending`; null for a page that nobody else has. */
  sending: string | null;
  /** See `FormPage.given`. */
  given: PageQuery;
  /** Key with which the script first saved the answers, or null. */
  firstSave: string | null;
  /** Language in which to show the form again as it is, or null. */
  showIn: string | null;
  /** Address of the sender. */
  address: string;
}

/** The accepted submission, with the answers as they came. */
interface Sent {
  kind: 'sent';
  submissionId: string;
  isFirst: boolean;
  /** What its sender has to do before it counts. */
  awaited: Pick<CompleteAcknowledgement, 'confirmation' | 'payment'> | null;
  answers: Answers;
}

/** What is shown to the visitor next. */
export type NextPage =
  /** Another step, or the same with its problems; a draft holds the answers. */
  { kind: 'step'; step: StepPlace } | Sent;

/**
 * Takes a posted form: checks the step it was sent from, and submits it after the last step. Answers that cannot go on yet wait
 * in a draft, so nothing typed is lost.
 * @throws HttpError 403, 404, 429 or 503; and 422 to a script, which shows the problems itself
 */
export async function receiveAnswers(context: Context, asked: PostedForm): Promise<NextPage> {
  const { visit } = asked;
  const { form, edited } = await formToAnswer(context, asked.form, visit);
  const post = { ...asked, form };
  const read = readAnswers(post);
  // Another site's form may mend what it sends.
  const sent = post.isOwnPage ? withUnshown(form, read, edited) : read;
  const { states, answers } = form.compiled.show(sent);
  const steps = stepsOf(form.properties, form.presentation.presentation_style);
  const here = currentStep(steps, states, indexOfPlace(steps, visit.step));
  const isPlain = post.isOwnPage && !post.isByScript;
  // The script reports its steps itself, and an edit is no new submission.
  if (isPlain && post.isVisitor && visit.submissionId === null)
    countPostedStep(context, form, visit.id, { here, step: steps[here], sent, isFollowed: post.isFollowed });
  const keepDraft = async ({ step, problems }: StepToShow): Promise<NextPage> => {
    // The page in another language is then as everybody finds it, also by a copy of its address.
    const isTranslated = ![null, form.presentation.language].includes(post.showIn);
    if (isTranslated && step === 0 && isAsOpened(post, sent)) await dropDraft(context.db, form.id, visit.id);
    else await post.saveDraft(post, { answers: sent, problems });
    return { kind: 'step', step: placeOf(steps, step) };
  };
  const toShow = await stepBeforeSending(context, post, { sent, answers, states, steps, here, isPlain });
  if (toShow) return keepDraft(toShow);
  try {
    return await submit(context, post, answers);
  } catch (error) {
    const problems = error instanceof HttpError ? problemsIn(error, form) : null;
    if (problems === null) throw error;
    if (post.isByScript) throw invalid(problems, form.compiled.messages.andMore);
    // The page checks for itself whether the submission is gone, and says so.
    const { submission_hash: _gone, ...toTell } = problems;
    return keepDraft({ step: firstWrongStep(steps, toTell) ?? here, problems: toTell });
  }
}

/** Where the visitor is in the form. */
interface Standing {
  sent: Answers;
  /** Without those of fields that logic hides. */
  answers: Answers;
  states: Shown['states'];
  steps: Step[];
  /** Index of the step that was sent. */
  here: number;
  /** Sent by a page of ours without its script. */
  isPlain: boolean;
}

interface StepToShow {
  step: number;
  problems: ErrorBag;
}

/** The step to show to the visitor, whose answers cannot be submitted yet; null when they can. */
async function stepBeforeSending(
  context: Context,
  post: PostedForm,
  standing: Standing,
): Promise<StepToShow | null> {
  const { form, files, showIn, goesBack } = post;
  const { answers, states, steps, here, isPlain } = standing;
  if (showIn !== null) return { step: here, problems: {} };
  if (goesBack) return { step: nextStep(steps, states, here, -1) ?? here, problems: {} };
  if (isPlain && (await hasRevealed(context, post, standing))) return { step: here, problems: {} };
  const next = isPlain ? nextStep(steps, states, here, 1) : null;
  if (next === null && Object.keys(files.problems).length === 0) return null;
  const found = { ...form.pageRules().check(answers).errors, ...files.problems };
  const problems = next === null ? found : problemsUpTo(here, steps, found);
  if (Object.keys(problems).length > 0) return { step: firstWrongStep(steps, problems) ?? here, problems };
  return next === null ? null : { step: next, problems: {} };
}

/**
 * Whether these answers reveal something on their own step that was hidden before: a text, or a field without an answer or with a
 * default that nobody has seen. Without a script the step is then shown again. An unanswered required field is refused anyway.
 */
async function hasRevealed(
  context: Context,
  { form, visit, given }: PostedForm,
  { steps, here, states, sent }: Standing,
): Promise<boolean> {
  const open = (steps[here]?.blocks ?? []).filter((property) => {
    const { id, type, logic } = property;
    const state = states.get(id);
    const typeName = canonicalTypeName(type);
    if (state === undefined || state.hidden || (isLayoutBlock(type) && typeName !== 'nf-text')) return false;
    // A box that is not ticked may not have been seen.
    const isUnanswered = !Object.hasOwn(sent, id) || sent[id] === false;
    const isOpen = hasDefault(property, typeName) || (isUnanswered && !state.required);
    return isOpen && (logic?.actions ?? []).length > 0;
  });
  if (open.length === 0) return false;
  // The first page was filled in by its address, or for the holder of its personal link.
  const asked = new URLSearchParams([...given, ['visit', visit.id]]);
  const { query } = await personalVisit(context, form, visit, asked);
  const { answers } = await findAnswersOf(context, form, visit, query);
  const before = form.compiled.show(answers).states;
  return open.some(({ id }) => before.get(id)?.hidden);
}

/** The problems of the answers in a refusal, in the form's language; null if it is about something else. */
function problemsIn({ members }: HttpError, { presentation }: PublishedForm): ErrorBag | null {
  if (members.errors === undefined) return null;
  const errors = Object.assign(emptyErrorBag(), members.errors);
  if (errors.captcha) errors.captcha = [languageFor(presentation.language).page.captchaFailed];
  return errors;
}

async function submit(context: Context, post: PostedForm, answers: Answers): Promise<NextPage> {
  const { form, visit, posted, address, isOwnPage } = post;
  const captcha = posted.getAll('captcha').join(' ');
  const hash = visit.submissionHash ?? (await hashOfFirstSave(context, form, post.firstSave));
  const body: Answers = {
    ...answers,
    // The time of an edit says nothing about how long the form took.
    ...(isOwnPage &&
      visit.submissionId === null && {
        completion_time: Math.min(visit.took ?? Infinity, secondsSince(visit.startedAt)),
      }),
    ...(visit.attribution && { tracking_parameters: visit.attribution as Answers }),
    ...(visit.submissionId !== null && { submission_id: visit.submissionId }),
    ...(hash !== null && { submission_hash: hash }),
    ...(captcha !== '' && { captcha }),
    ...providerTokens(posted),
  };
  const acknowledgement = await acceptSubmission(context, {
    formRef: form.uuid,
    body,
    formPassword: visit.key ?? undefined,
    personalCode: visit.personal ?? undefined,
    idempotencyKey: isOwnPage ? sendingKey(visit, post) : undefined,
    fingerprint: visit.id,
    pageLanguage: form.presentation.language,
    address,
    ...(isOwnPage && form.setsSpamAside && { page: signsOf(context, post) }),
  });
  // The page never sends partial submissions here.
  const submissionId = acknowledgement.isPartial ? '' : acknowledgement.submissionId;
  if (isOwnPage) await dropDraft(context.db, form.id, visit.id);
  return {
    kind: 'sent',
    submissionId,
    isFirst: !acknowledgement.isPartial && acknowledgement.isFirst,
    awaited: acknowledgement.isPartial ? null : acknowledgement,
    answers,
  };
}

/**
 * The same answers sent twice from one page make one submission; other answers, or those of another page, another. The key is made
 * from the posted text, not its meaning, because the form may have changed in between.
 */
function sendingKey(
  { id, submissionId }: Visit,
  { sending, body, files }: Pick<PostedForm, 'sending' | 'body' | 'files'>,
): string | undefined {
  if (submissionId !== null) return undefined;
  const sent = Object.entries(body)
    .filter(([name]) => name !== 'captcha' && !CAPTCHA_TOKEN_NAMES.includes(name))
    .map(([name, values]) => [name, values.filter((value) => !files.references.has(value))] as const)
    .filter(([, texts]) => texts.length > 0);
  const hash = createHash('sha256').update(JSON.stringify(sent));
  for (const digest of files.digests) hash.update(digest);
  if (sending !== null) hash.update(` ${sending}`);
  return `page-${id}-${hash.digest('hex').slice(0, 32)}`;
}

/** Tokens of captcha providers, by the names their scripts use. */
function providerTokens(posted: Posted): Answers {
  return Object.fromEntries(
    CAPTCHA_TOKEN_NAMES.flatMap((name) => {
      const token = posted.getAll(name).find((value) => typeof value === 'string' && value !== '');
      return typeof token === 'string' ? [[name, token]] : [];
    }),
  );
}

function secondsSince(startedAt: number): number {
  return Math.max(0, Math.floor(Date.now() / 1000) - startedAt);
}
