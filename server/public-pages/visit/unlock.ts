import type { FastifyReply } from 'fastify';
import { isOn } from '../../../fields/block-options/options.ts';
import { type Html, html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { addError, type ErrorBag, emptyErrorBag } from '../../../fields/property.ts';
import type { Context } from '../../context.ts';
import { HttpError } from '../../http/errors.ts';
import { countView } from '../../statistics/count-view.ts';
import { checkFormPassword } from '../../submissions/acceptance/form-access.ts';
import { makeUnlockKey } from '../../submissions/acceptance/unlock-key.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { type MessagePage, passwordPage } from '../page/message-pages.ts';
import { sendMessage } from '../page/send-page.ts';
import type { PageRequest } from '../page-request.ts';
import type { PostedBody } from '../posting/posted-body.ts';
import { readAnswers } from '../posting/read-answers.ts';
import type { SaveDraft } from './drafts.ts';
import { type PageQuery, pathOf, prefillOf, queryOf, readVisit, type Visit, visitPath } from './visit.ts';

/** Query key of the page that asks for the password again. */
const WRONG = 'wrong';
/** Begins the names of inputs with answers that were typed before the form had this password. */
const HELD = 'held ';
/** Name of inputs with the ids of fields whose files did not come along. */
const LOST = 'lost';

/** What was sent without the form's password. */
interface SentBefore {
  answers: PostedBody;
  /** Ids of fields whose files have to be chosen again, because no file is stored of who has not shown the password. */
  lost: readonly string[];
}

/** Asks for the form's password, and leads on to the page of this visit. */
export function askPassword(form: PublishedForm, visit: Visit, query: PageQuery): MessagePage {
  const prefill = prefillOf(query);
  prefill.delete(WRONG);
  return passwordPage(form, unlockPath(form, visit, prefill), query.has(WRONG) ? 'wrongPassword' : null);
}

/**
 * Asks for the form's password after answers were sent without it. The page holds them, because nothing is stored of who has not
 * shown the password.
 * @param refusal of a password, if one was sent with them
 */
export function askPasswordFirst(
  form: PublishedForm,
  visit: Visit,
  sent: SentBefore,
  refusal: HttpError | null = null,
): MessagePage {
  const problem = refusal && (refusal.statusCode === 429 ? 'tooMany' : 'wrongPassword');
  const page = passwordPage(form, unlockPath(form, visit), problem, inputsOf(sent));
  return { ...page, status: refusal?.statusCode ?? 403 };
}

/** Answers `POST /forms/:form/unlock`. */
export async function unlock(
  context: Context,
  { form, request, saveDraft }: { form: PublishedForm; request: PageRequest; saveDraft: SaveDraft },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const query = queryOf(request);
  const visit = readVisit(query, new Date());
  const body = (request.body ?? {}) as PostedBody;
  const refusal = await checkFormPassword(context, form, body.password?.[0] ?? '', request.ip).then(
    () => null,
    refusedPassword,
  );
  const held = sentBefore(body);
  if (refusal && held)
    return sendMessage(
      context,
      reply.headers(refusal.headers),
      form,
      askPasswordFirst(form, visit, held, refusal),
    );
  if (refusal?.statusCode === 429) throw refusal;
  const key = refusal ? null : makeUnlockKey(context.secrets, form, new Date());
  const inside = { ...visit, key };
  if (held) {
    const answers = readAnswers({ form, body: held.answers, isOwnPage: true, isByScript: false });
    await saveDraft({ form, visit: inside }, { answers, problems: problemsOf(form, held) });
  }
  // The view is counted now, because the next page has a visit in its address.
  else if (key !== null) countView(context, form, request);
  const wrong: [string, string][] = key === null ? [[WRONG, '1']] : [];
  return reply.redirect(visitPath(pathOf(form), inside, [...prefillOf(query), ...wrong]), 303);
}

function unlockPath(form: PublishedForm, visit: Visit, prefill?: PageQuery): string {
  return visitPath(`${pathOf(form)}/unlock`, { ...visit, key: null }, prefill);
}

function inputsOf({ answers, lost }: SentBefore): Html {
  const all = Object.entries(answers).flatMap(([name, values]) =>
    values.map((value) => [`${HELD}${name}`, value]),
  );
  const inputs = [...all, ...lost.map((id) => [LOST, id])];
  return html`${inputs.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** What the page held, or null if it held nothing. */
function sentBefore(body: PostedBody): SentBefore | null {
  const held = Object.entries(body).filter(([name]) => name.startsWith(HELD));
  const lost = body[LOST] ?? [];
  if (held.length + lost.length === 0) return null;
  return {
    answers: Object.fromEntries(held.map(([name, values]) => [name.slice(HELD.length), values])),
    lost,
  };
}

/** Tells at the fields whose files did not come along that they have to be chosen again. */
function problemsOf({ properties, presentation }: PublishedForm, { lost }: SentBefore): ErrorBag {
  const { page: texts } = languageFor(presentation.language);
  const problems = emptyErrorBag();
  for (const { id, name, multiple } of properties)
    if (lost.includes(id))
      addError(problems, id, `${name}: ${isOn(multiple) ? texts.chooseFiles : texts.chooseFile}`);
  return problems;
}

/** A wrong password, or one too many attempt; anything else is a failure. */
function refusedPassword(error: unknown): HttpError {
  if (error instanceof HttpError && (error.statusCode === 403 || error.statusCode === 429)) return error;
  throw error;
}
