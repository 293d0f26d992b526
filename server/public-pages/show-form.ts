import { randomBytes } from 'node:crypto';
import { isRemoved } from '../../fields/block-options/answer-retention.ts';
import { pagePrefill } from '../../fields/block-options/prefill.ts';
import { withoutUnmendable } from '../../fields/former-answers/unmendable.ts';
import { type Html, html, trusted } from '../../fields/html/html.ts';
import { readEntries } from '../../fields/html/read-entries.ts';
import { type Posted, readPost } from '../../fields/html/read-post.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { isNeverShown } from '../../fields/logic/shown.ts';
import { FIRST_STEP } from '../../fields/logic/steps.ts';
import type { Answers, ErrorBag, JsonValue } from '../../fields/property.ts';
import { fillIn } from '../../fields/texts/template.ts';
import { canonicalTypeName } from '../../fields/type-names.ts';
import type { Context } from '../context.ts';
import { captchaProviderOf } from '../submissions/acceptance/captcha.ts';
import { newQuestion } from '../submissions/acceptance/captcha-question.ts';
import { openSubmissionHash } from '../submissions/acceptance/submission-hash.ts';
import { formForChange, formForGoingOn } from '../submissions/form-for-change.ts';
import { withPresentNames } from '../submissions/option-places-queries.ts';
import type { PublishedForm } from '../submissions/published-form/published-form.ts';
import { frameKey } from './page/code-page.ts';
import type { FormPage } from './page/form-page.ts';
import { provenVisit } from './posting/spam-signs.ts';
import { withoutUnshown } from './posting/unshown-answers.ts';
import { findAnswers } from './queries.ts';
import { loadDraft } from './visit/drafts.ts';
import { anewPath, begunAnew, type PageQuery, pathOf, prefillOf, type Visit } from './visit/visit.ts';
import type { PlacesLeft, VisitedForm } from './visit/visited-form.ts';
import { stepWhereLeft } from './visit/where-left.ts';

/** Bytes of `FormPage.sending`. */
const SENDING_BYTES = 16;

/**
 * Loads a form with the visitor's draft, the submission they edit or continue, or the values from the address. An address may have
 * been copied, or kept for long: a visit that has no draft, or has none any more because its form was sent, begins anew.
 */
export async function openForm(
  context: Context,
  { form, placesLeft }: Pick<VisitedForm, 'form' | 'placesLeft'>,
  asked: Visit,
  query: PageQuery,
): Promise<FormPage> {
  const { draft, stored, answers } = await findAnswersOf(context, form, asked, query);
  const isOver = draft === null && query.has('visit');
  const visit = isOver
    ? provenVisit(context, form, begunAnew(asked, new Date()), new URLSearchParams())
    : asked;
  const isGone = stored === null && (visit.submissionId ?? visit.submissionHash) !== null;
  const isEdit = visit.submissionId !== null;
  const problems = draft?.problems ?? ({} as ErrorBag);
  return {
    // The rules in its source say what is filled in.
    form: isEdit ? formForChange(form, stored && withoutUnshown(form, stored)) : formForGoingOn(form, stored),
    visit: visitToShow(visit, query, { form, stored, hasDraft: draft !== null }),
    sending: draft === null ? null : randomBytes(SENDING_BYTES).toString('base64url'),
    answers: isEdit && stored ? withoutUnshown(form, answers) : answers,
    isDraft: draft !== null,
    draftedAt: draft?.savedAt ?? null,
    problems,
    notice: noticeOf(form, { isGone, isEdit, stored }, query),
    captcha: captchaOf(context, form, problems.captcha),
    showsCode: context.config.customCode,
    frameKey: frameKey(context, form),
    placesLeft: isEdit && stored ? withOwnPlaces(placesLeft, stored) : placesLeft,
  };
}

function visitToShow(
  visit: Visit,
  query: PageQuery,
  { form, stored, hasDraft }: { form: PublishedForm; stored: Answers | null; hasDraft: boolean },
): Visit {
  const { submissionId, submissionHash } = visit;
  if ((submissionId ?? submissionHash) === null) return visit;
  // A link to a submission that is gone begins a new one.
  if (stored === null)
    return { ...visit, submissionId: null, submissionHash: null, step: hasDraft ? visit.step : FIRST_STEP };
  // Behind a password the address has a visit, which begins.
  const isBack = submissionId === null && !hasDraft && (query.has('visit') || !query.has('step'));
  return isBack ? { ...visit, step: stepWhereLeft(form, stored) } : visit;
}

/** Says whose answers the page shows, or that they are gone. */
function noticeOf(
  form: PublishedForm,
  { isGone, isEdit, stored }: { isGone: boolean; isEdit: boolean; stored: Answers | null },
  query: PageQuery,
): Html | null {
  const { page: texts } = languageFor(form.presentation.language);
  const notice = (content: string | Html) => html`<p class="notice" role="status">${content}</p>`;
  if (isGone) return notice(`${isEdit ? texts.editNotFound : texts.continueLinkInvalid} ${texts.sentAsNew}`);
  if (isEdit) return notice([texts.editingText, ...removedText(form, stored)].join(' '));
  // Whoever sends such a link can read what is entered. Any address can have a visit too, so none is an exception.
  if (!query.has('submission_hash')) return null;
  return notice(
    html`${texts.continuingText} <a href="${anewPath(pathOf(form), query)}" data-anew>${texts.startOver}</a>`,
  );
}

/** The places left for somebody who holds some, and may give them back. */
function withOwnPlaces(placesLeft: PlacesLeft, stored: Answers): PlacesLeft {
  const free = ([field, options]: [string, ReadonlyMap<string, number>]) => {
    const chosen = [stored[field]].flat();
    const counts = [...options].map(
      ([option, left]) => [option, chosen.includes(option) ? left + 1 : left] as const,
    );
    return [field, new Map(counts)] as const;
  };
  return new Map([...placesLeft].map(free));
}

/** Says which answers of an edited submission were removed by the retention of their fields. */
function removedText({ properties, presentation }: PublishedForm, stored: Answers | null): string[] {
  const removed = properties.filter(
    (property) => stored && isRemoved(stored, property.id) && !isNeverShown(property),
  );
  if (removed.length === 0) return [];
  const { page: texts, code } = languageFor(presentation.language);
  const names = new Intl.ListFormat(code, { type: 'unit' }).format(removed.map(({ name }) => name));
  return [fillIn(texts.removedAnswers, { names }, code)];
}

/** The answers that a page is filled in with. */
export async function findAnswersOf(context: Context, form: PublishedForm, visit: Visit, query: PageQuery) {
  const draft = query.has('visit') ? await loadDraft(context.db, form.id, visit.id) : null;
  const found = await findStored(context, form, visit);
  const stored = found && (await withPresentNames(context.db, form, found));
  return { draft, stored, answers: draft?.answers ?? stored ?? firstAnswers(form, query) };
}

/**
 * The form as it applies to whoever sends this visit: see `formForChange` and `formForGoingOn`.
 * @returns it, and the answers that are edited; null when none are
 */
export async function formToAnswer(
  context: Context,
  form: PublishedForm,
  visit: Visit,
): Promise<{ form: PublishedForm; edited: Answers | null }> {
  const stored = await findStored(context, form, visit);
  if (visit.submissionId === null) return { form: formForGoingOn(form, stored), edited: null };
  const edited = stored && (await withPresentNames(context.db, form, stored));
  return { form: formForChange(form, stored), edited };
}

/** The answers of the submission named in the address. */
async function findStored(context: Context, form: PublishedForm, visit: Visit): Promise<Answers | null> {
  const { db, secrets } = context;
  if (visit.submissionId !== null)
    return form.isEditable ? findAnswers(db, form.id, visit.submissionId, 'completed') : null;
  if (visit.submissionHash === null) return null;
  const publicId = openSubmissionHash(secrets, form.id, visit.submissionHash);
  return publicId === null ? null : findAnswers(db, form.id, publicId, 'partial');
}

/** Indexed once, because a form may have thousands of inputs to look up. */
function byName(query: PageQuery): Posted {
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  return { getAll: (name) => values.get(name) ?? [] };
}

/** In an address a plus stands for a blank (URL standard, form encoding), but people write `?phone=+49…`. */
const BLANK_FOR_PLUS = /^ (?=\d)/;

/**
 * Whether these answers are those that the page of a new submission begins with.
 * @param given see `FormPage.given`
 */
export function isAsOpened(
  { form, visit, given }: { form: PublishedForm; visit: Visit; given: PageQuery },
  sent: Answers,
): boolean {
  if (visit.submissionId !== null || visit.submissionHash !== null) return false;
  const [now, first] = [sent, firstAnswers(form, given)].map((answers) => form.compiled.show(answers).read);
  // A box that is not ticked is sent as such.
  const said = (answer: JsonValue | undefined) => JSON.stringify(answer === false ? undefined : answer);
  return form.properties.every(({ id }) => said(now?.[id]) === said(first?.[id]));
}

/** The first values of the fields: from the address of the page, or else from the form. */
function firstAnswers(form: PublishedForm, query: PageQuery): Answers {
  const byAddress = readPost(form.properties, byName(prefillOf(query)), { isComplete: false, readEntries });
  for (const { id, type } of form.properties) {
    const number = byAddress[id];
    if (typeof number === 'string' && canonicalTypeName(type) === 'phone_number')
      byAddress[id] = number.replace(BLANK_FOR_PLUS, '+');
  }
  const byForm = pagePrefill(form.properties, new Date());
  const { fields } = form.compiled;
  return Object.assign(withoutUnmendable(fields, byForm), withoutUnmendable(fields, byAddress));
}

/** The question of the built-in captcha, which the page's script replaces; or the element that a provider's script fills. */
export function captchaOf(
  context: Context,
  form: PublishedForm,
  messages: readonly string[] = [],
): Html | null {
  if (!form.useCaptcha) return null;
  const { page: texts, code } = languageFor(form.presentation.language);
  const external = captchaProviderOf(context, form);
  if (external)
    return html`<div class="captcha" data-captcha="${external.provider}" data-key="${external.keys.siteKey}"><noscript>${texts.captchaFailed}</noscript></div>`;
  const { a, b, token } = newQuestion(context, form.id, new Date());
  const question = fillIn(texts.captchaQuestion, { a, b }, code);
  return html`<div class="block captcha" data-captcha="proof_of_work">
<label for="captcha">${question}</label>
<p class="help" id="captcha-help">${texts.captchaHelp}</p>
<input type="hidden" name="captcha" value="${token}">
<input id="captcha" name="captcha" inputmode="numeric" autocomplete="off" aria-describedby="captcha-help captcha-error"${trusted(messages.length > 0 ? ' aria-invalid="true"' : '')}>
<p class="error" id="captcha-error">${messages.join(' ')}</p>
</div>`;
}
