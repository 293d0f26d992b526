import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Ending } from '../../../fields/logic/endings.ts';
import { currentStep, indexOfPlace, nextStep, placeOf, stepsOf } from '../../../fields/logic/steps.ts';
import { type Answers, type ErrorBag, emptyAnswers } from '../../../fields/property.ts';
import { fillMentions } from '../../../fields/texts/mentions.ts';
import type { Context } from '../../context.ts';
import { cleanFileName, referenceTo } from '../../files/file-name.ts';
import { invalid } from '../../http/errors.ts';
import type { FilePart } from '../../http/request/multipart-parts.ts';
import { wantsHtml } from '../../http/request/wants-html.ts';
import { inSameLanguage, SHOW_IN } from '../../public-pages/page/language-choice.ts';
import { sendForm } from '../../public-pages/page/send-page.ts';
import { readPostedBody } from '../../public-pages/posting/posted-body.ts';
import { readAnswers } from '../../public-pages/posting/read-answers.ts';
import { firstWrongStep, problemsUpTo } from '../../public-pages/posting/step-problems.ts';
import { captchaOf } from '../../public-pages/show-form.ts';
import type { PageQuery, Visit } from '../../public-pages/visit/visit.ts';
import { NO_LIMITS } from '../../public-pages/visit/visited-form.ts';
import type { PreviewedForm } from './find-previewed-form.ts';
import { PREVIEW_MARK } from './mark.ts';

/** Names the ending in the address of the thank-you page. */
export const ENDING = 'ending';
/** Characters of an address that may carry answers to the thank-you page; longer answers are left out. */
const MAX_CARRIED = 4_000;

/**
 * Takes what the page of a preview sends. Checks and next pages are the same as in post-form.ts, but nothing is stored: answers are
 * carried along in the pages themselves.
 * @throws HttpError 422 to a script
 */
export async function postPreview(
  context: Context,
  reply: FastifyReply,
  { form, showsCode }: PreviewedForm,
  { visit, query }: { visit: Visit; query: PageQuery },
): Promise<unknown> {
  const { request } = reply;
  const body = await readPostedBody(request, dropFile);
  const isByScript = !wantsHtml(request);
  const sent = readAnswers({ form, body, isOwnPage: true, isByScript });
  const { states, answers } = form.compiled.show(sent);
  const steps = stepsOf(form.properties, form.presentation.presentation_style);
  const here = currentStep(steps, states, indexOfPlace(steps, visit.step));
  const showIn = query.get(SHOW_IN);
  const show = (step: number, problems: ErrorBag) =>
    sendForm(context, reply, {
      form: showIn === null ? form : form.inLanguage(showIn),
      visit: { ...visit, step: placeOf(steps, step), language: showIn ?? visit.language },
      answers: sent,
      isDraft: true,
      draftedAt: null,
      problems,
      notice: PREVIEW_MARK,
      captcha: captchaOf(context, form),
      showsCode: context.config.customCode && showsCode,
      placesLeft: NO_LIMITS,
    });
  if (showIn !== null) return show(here, {});
  if (query.get('go') === 'back') return show(nextStep(steps, states, here, -1) ?? here, {});
  const next = isByScript ? null : nextStep(steps, states, here, 1);
  const result = form.compiled.check(answers, { makeUuid: randomUUID });
  const found = result.errors ?? {};
  const problems = next === null ? found : problemsUpTo(here, steps, found);
  if (Object.keys(problems).length > 0) {
    if (isByScript) throw invalid(problems, form.compiled.messages.andMore);
    return show(firstWrongStep(steps, problems) ?? here, problems);
  }
  if (next !== null) return show(next, {});
  const stored = result.errors ? answers : result.answers;
  const ending = form.endingFor(stored);
  const address = new URLSearchParams({ answers: carried(form, stored, ending) });
  if (ending) address.set(ENDING, ending.id);
  const target = inSameLanguage(form, `/forms/${form.slug}/thank-you?${address}`);
  if (!isByScript) return reply.redirect(target, 303);
  return { type: 'success', submission_id: randomUUID(), is_first_submission: false, next: target };
}

/** Reads a file to its end, and answers as if it was kept. */
export async function dropFile({ file, fileName }: Omit<FilePart, 'name'>): Promise<string> {
  file.resume();
  return referenceTo(cleanFileName(fileName), randomUUID());
}

/** Encodes for an address those answers that the texts of the thank-you page mention, as they are stored nowhere. */
function carried(
  { presentation, compiled }: PreviewedForm['form'],
  answers: Answers,
  ending: Ending | null,
): string {
  const named = emptyAnswers();
  const { submitted_text: thanks, redirect_url: target } = ending ?? presentation;
  for (const text of [thanks, target])
    fillMentions(
      text ?? '',
      (id) => {
        // A computed value may depend on any answer.
        if (compiled.variables.has(id)) Object.assign(named, answers);
        else if (Object.hasOwn(answers, id)) named[id] = answers[id] ?? null;
        return null;
      },
      (words) => words,
    );
  const code = Buffer.from(JSON.stringify(named)).toString('base64url');
  return code.length <= MAX_CARRIED ? code : '';
}

/** Decodes these answers; anything else counts as none. */
export function readCarried(code: string | null): Answers {
  try {
    const read: unknown = JSON.parse(Buffer.from(code ?? '', 'base64url').toString('utf8'));
    return Object.assign(emptyAnswers(), typeof read === 'object' ? read : null);
  } catch {
    return emptyAnswers();
  }
}
