import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { addError, type ErrorBag, emptyErrorBag, type Property } from '../../../fields/property.ts';
import { canonicalTypeName, holdsFiles } from '../../../fields/type-names.ts';
import type { Context } from '../../context.ts';
import { receiveUpload } from '../../files/receive-upload.ts';
import { asHttpError } from '../../http/error-handler.ts';
import { HttpError } from '../../http/errors.ts';
import type { FilePart } from '../../http/request/multipart-parts.ts';
import { wantsHtml } from '../../http/request/wants-html.ts';
import { isPerson } from '../../statistics/visitor.ts';
import { checkFormPassword } from '../../submissions/acceptance/form-access.ts';
import { hasShownPassword } from '../../submissions/acceptance/unlock-key.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { GIVEN, SENDING } from '../page/form-page.ts';
import { SHOW_IN } from '../page/language-choice.ts';
import { inOwnLanguage } from '../page/page-language.ts';
import { sendForm, sendMessage } from '../page/send-page.ts';
import { payPath } from '../payment/pay-pages.ts';
import { captchaOf } from '../show-form.ts';
import type { SaveDraft } from '../visit/drafts.ts';
import { askPasswordFirst } from '../visit/unlock.ts';
import { beginningOf, givenBy, type PageQuery, pathOf, type Visit, visitPath } from '../visit/visit.ts';
import { NO_LIMITS } from '../visit/visited-form.ts';
import { addressAfterSending, thankYouPath } from './after-sending.ts';
import { FIRST_SAVE } from './first-save.ts';
import { postedValues, readPostedBody } from './posted-body.ts';
import { readAnswers } from './read-answers.ts';
import { type NextPage, type PostedFiles, type PostedForm, receiveAnswers } from './receive-answers.ts';

/** Query key by which the script says that it has told how far the visit came. */
const FOLLOWED = 'followed';
/** Milliseconds by which the clocks of service and database may differ. */
const CLOCKS_DIFFER_BY_MS = 60_000;

/**
 * Answers `POST /forms/:form`: a step of our own page, with or without its script, or an HTML form of another site. Browsers are
 * redirected to the next page (303), scripts get its address.
 */
export async function postForm(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  {
    form,
    visit,
    query,
    saveDraft,
  }: { form: PublishedForm; visit: Visit; query: PageQuery; saveDraft: SaveDraft },
): Promise<unknown> {
  const files: PostedFiles = { references: new Set(), digests: [], problems: emptyErrorBag() };
  const body = await readPostedBody(request, (part) =>
    keepFile(context, request, { form, visit, files }, part),
  );
  const isOwnPage = query.has('visit');
  const post: PostedForm = {
    form,
    visit,
    saveDraft,
    body,
    posted: postedValues(body, isOwnPage),
    files,
    isOwnPage,
    isByScript: !wantsHtml(request),
    isVisitor: isPerson(request) && !form.isClosed(new Date()),
    isFollowed: query.has(FOLLOWED),
    goesBack: query.get('go') === 'back',
    sending: query.get(SENDING),
    given: givenBy(new URLSearchParams(isOwnPage ? body[GIVEN]?.[0] : ''), form.properties),
    firstSave: query.get(FIRST_SAVE),
    showIn: query.get(SHOW_IN),
    address: request.ip,
  };
  try {
    return await leadOn(context, reply, post, await receiveAnswers(context, post));
  } catch (error) {
    return tellRefusal(context, reply, post, error);
  }
}

async function leadOn(
  context: Context,
  reply: FastifyReply,
  post: PostedForm,
  next: NextPage,
): Promise<unknown> {
  const { form, visit, given, showIn, isByScript } = post;
  if (next.kind === 'step') {
    const language = showIn ?? visit.language;
    return reply.redirect(visitPath(pathOf(form), { ...visit, step: next.step, language }, given), 303);
  }
  const target = await targetAfter(context, post, next);
  if (!isByScript) return reply.redirect(target, 303);
  return {
    type: 'success',
    submission_id: next.submissionId,
    is_first_submission: next.isFirst,
    next: target,
  };
}

/** What its sender has to do before it counts comes first. */
async function targetAfter(
  context: Context,
  { form, visit, given }: PostedForm,
  next: Extract<NextPage, { kind: 'sent' }>,
): Promise<string> {
  const { awaited } = next;
  if (awaited?.payment) return payPath(form, awaited.payment.token);
  if (awaited?.confirmation) return thankYouPath(context, form, next.submissionId);
  return addressAfterSending(context, form, next, beginningOf(visit, given));
}

/** @throws to a script, which shows the refusal itself */
async function tellRefusal(
  context: Context,
  reply: FastifyReply,
  post: PostedForm,
  error: unknown,
): Promise<FastifyReply> {
  const { form, visit, body, files } = post;
  const { request } = reply;
  if (post.isByScript) throw mayBeOutdated(form, visit) ? tellingOfChange(error) : error;
  const refusal = asHttpError(error as FastifyError, request);
  const isLocked = refusal.members.error === 'form_protected' && post.isOwnPage;
  if (isLocked && !hasShownPassword(context.secrets, form, visit.key))
    return sendMessage(
      context,
      reply,
      form,
      askPasswordFirst(form, visit, { answers: body, lost: Object.keys(files.problems) }),
    );
  const problem = isToldByPage(refusal) ? await draftProblem(post, request) : refusal;
  return problem === null ? leadBack(reply, post, refusal) : showAgain(context, reply, post, problem);
}

/** Whether the page may have been opened before the form was last changed. */
function mayBeOutdated({ updatedAt }: PublishedForm, { startedAt }: Visit): boolean {
  return updatedAt.getTime() > startedAt * 1000 - CLOCKS_DIFFER_BY_MS;
}

/** The script then looks whether what was refused can be mended on its page. */
function tellingOfChange(error: unknown): unknown {
  if (!(error instanceof HttpError)) return error;
  const { statusCode, message, members, headers } = error;
  return new HttpError(statusCode, message, { ...members, form_changed: true }, headers);
}

/** The form is closed or full, the password's key has expired, or the submission to edit is gone: the next page says so. */
function isToldByPage({ statusCode, members }: HttpError): boolean {
  return statusCode === 403 || members.error === 'submission_not_found';
}

/**
 * Keeps the answers for the page that says why they were refused.
 * @returns why they cannot be kept, or null
 */
async function draftProblem(post: PostedForm, request: FastifyRequest): Promise<HttpError | null> {
  try {
    await post.saveDraft(post, { answers: readAnswers(post), problems: {} });
    return null;
  } catch (error) {
    const problem = asHttpError(error as FastifyError, request);
    // Without the form's password the visitor is asked for it, and begins anew.
    return problem.statusCode === 403 ? null : problem;
  }
}

function leadBack(reply: FastifyReply, { form, visit, given }: PostedForm, refusal: HttpError): FastifyReply {
  const next = refusal.statusCode === 403 ? { ...visit, key: null } : visit;
  return reply.redirect(visitPath(pathOf(form), next, given), 303);
}

/** Shows the form with the answers and what went wrong. */
function showAgain(
  context: Context,
  reply: FastifyReply,
  post: PostedForm,
  error: HttpError,
): Promise<FastifyReply> {
  const { form, visit, sending, given } = post;
  // The questions are shown only to visitors who know the password.
  if (error.statusCode < 429 || !hasShownPassword(context.secrets, form, visit.key)) throw error;
  const { page: texts } = languageFor(form.presentation.language);
  const text = error.statusCode === 429 ? texts.tooMany : texts.sendFailed;
  context.log.warn({ err: error }, 'answers of a page could not be taken');
  return sendForm(context, reply.code(error.statusCode).headers(error.headers), {
    form,
    visit,
    sending,
    given,
    answers: readAnswers(post),
    isDraft: true,
    draftedAt: null,
    problems: {},
    notice: html`<p class="notice" role="alert">${text}</p>`,
    captcha: captchaOf(context, form),
    // Whether the visitor has a personal link was not looked up.
    showsCode: context.config.customCode && form.personalLinks?.required !== true,
    placesLeft: NO_LIMITS,
  });
}

/** Used when the form was closed meanwhile: the file is not stored, but its hash still recognises a repeated sending. */
async function hashOnly(file: Readable, hash: Hash): Promise<null> {
  for await (const chunk of file) hash.update(chunk);
  return null;
}

/**
 * Stores a file that came with the form.
 * @returns its reference; null with the problem noted for its field
 */
async function keepFile(
  context: Context,
  request: FastifyRequest,
  { form, visit, files }: Pick<PostedForm, 'form' | 'visit' | 'files'>,
  { name, file, fileName }: FilePart & { name: string },
): Promise<string | null> {
  const property = fieldOfFile(form, name.replace(/\[\]$/, ''));
  if (property === undefined) {
    file.resume();
    return null;
  }
  const hash = createHash('sha256').update(JSON.stringify([property.id, fileName]));
  const store = async () => {
    await checkFormPassword(context, form, visit.key ?? undefined, request.ip);
    const upload = { form, property, content: file, fileName, hash, request };
    const { reference } = await receiveUpload(context, upload);
    files.references.add(reference);
    return reference;
  };
  try {
    const reference = form.isClosed(new Date()) ? await hashOnly(file, hash) : await store();
    files.digests.push(hash.digest('hex'));
    return reference;
  } catch (error) {
    file.resume();
    if (!(error instanceof HttpError) || error.statusCode >= 500) throw error;
    const { errors } = error.members as { errors?: ErrorBag };
    for (const message of Object.values(errors ?? { file: [error.message] }).flat())
      addError(files.problems, property.id, message);
    return null;
  }
}

/** The field by its id, or by its name, as other sites use it. */
function fieldOfFile(form: PublishedForm, name: string): Property | undefined {
  const named = inOwnLanguage(form).properties.find(
    ({ id, name: title, type }) =>
      holdsFiles(canonicalTypeName(type)) && (id === name || title.trim() === name.trim()),
  );
  return form.properties.find(({ id }) => id === named?.id);
}
