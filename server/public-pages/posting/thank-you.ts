import { wordsOf } from '../../../fields/as-text/said-answers.ts';
import { textOf } from '../../../fields/as-text/text-of.ts';
import { fieldTypeOf } from '../../../fields/field-types.ts';
import { type Html, html, trusted } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Ending } from '../../../fields/logic/endings.ts';
import { askTogether } from '../../../fields/logic/shared-work.ts';
import { type Answers, ownMember } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { cut } from '../../../fields/texts/cut.ts';
import { fillMentions, replaceMentions } from '../../../fields/texts/mentions.ts';
import { compileAmountPaid } from '../../payments/amount-paid.ts';
import type { ReceivedPayment } from '../../payments/checkout.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inSameLanguage } from '../page/language-choice.ts';
import { sayingAnswers } from '../page/mentioned.ts';
import { ownText, richText } from '../page/message-pages.ts';
import { resultsLink } from '../page/results-link.ts';
import type { PageQuery } from '../visit/visit.ts';

/** Query key of a thank-you page: the query with which the form is filled in again. */
export const AGAIN = 'again';
/** Characters of an address; servers refuse longer ones. */
const MAX_ADDRESS = 8_192;

/** What a thank-you page is about. */
interface SentSubmission {
  submissionId: string;
  answers: Answers;
  /** Where these answers lead. */
  ending: Ending | null;
  /** The query with which the form is filled in again. */
  again?: PageQuery;
  /** What was paid for it; null for nothing. */
  payment?: ReceivedPayment | null;
}

/** A form that requires personal links is answered once per link. */
export function isRefillable({ presentation, personalLinks }: PublishedForm): boolean {
  return presentation.re_fillable && !personalLinks?.required;
}

/** Whether visitors may be led to another address after sending. */
export function mayLeadAway({ presentation: { redirect_url: address, endings } }: PublishedForm): boolean {
  return Boolean(address) || endings.some((ending) => ending.redirect_url);
}

/** The style sheet of `thankYouPage`. */
export const THANK_YOU_STYLES = ['thank-you'];

/**
 * The page after a form was sent.
 * @param links to pages about what was sent
 */
export function thankYouPage(form: PublishedForm, sent: SentSubmission, links: Html | null = null): Html {
  const { submissionId, ending, again } = sent;
  const { presentation, properties, slug } = form;
  const { page: texts, code } = languageFor(presentation.language);
  const written = ending ? ending.submitted_text : ownText(presentation, 'submitted_text');
  const { answers: read } = sent;
  const say = sayingAnswers(form, { answers: compileAmountPaid({ properties, language: code })(sent), read });
  const text =
    written === null
      ? null
      : replaceMentions(written, ({ fieldId, fallback }) => html`${say(fieldId, fallback)}`.markup);
  const refill = again && again.size > 0 ? `/forms/${slug}?${again}` : `/forms/${slug}`;
  const editText = ownText(presentation, 'editable_submissions_button_text') ?? texts.editAnswers;
  // The script focuses all of it: a screen reader then says its name and description.
  return html`<div class="page thank-you" tabindex="-1" role="group" aria-labelledby="thanked-for" aria-describedby="thanks"${trusted(presentation.confetti_on_submission ? ' data-confetti' : '')}>
<h1 id="thanked-for">${form.title}</h1>
<div id="thanks">${richText(text) ?? html`<p>${texts.thankYouText}</p>`}</div>
<div class="nav">
${isRefillable(form) && html`<a class="button" href="${inSameLanguage(form, refill)}">${presentation.re_fill_button_text ?? texts.fillAgain}</a>`}
${presentation.editable_submissions && html`<a class="button" href="${inSameLanguage(form, `/forms/${slug}?submission_id=${submissionId}`)}">${editText}</a>`}
${links}
${resultsLink(form)}
</div>
</div>`;
}

/**
 * Where the form redirects its visitors, with answers filled in; null if nowhere, or if the address is invalid or too long.
 * @param ending where these answers lead
 */
export function redirectTarget(form: PublishedForm, answers: Answers, ending: Ending | null): string | null {
  const { redirect_url: template } = ending ?? form.presentation;
  if (template === null) return null;
  const { variables, show } = form.compiled;
  const read = variables.size > 0 ? show(answers).read : answers;
  const answerText = (fieldId: string) => {
    const property = form.properties.find(({ id }) => id === fieldId);
    if (property === undefined) return textOf(variables.get(fieldId)?.(read) ?? null) || null;
    const answer = ownMember(answers, fieldId);
    if (answer === undefined) return null;
    const { name, toText } = fieldTypeOf(property.type);
    const text = toText(answer, property);
    // An answer that has to be cut makes the address too long anyway. Of rich text only the words are used.
    const said = name === 'rich_text' ? wordsOf(text, serverEngines.sanitiseHtml) : text;
    return cut(said, MAX_ADDRESS + 1) || null;
  };
  const address = askTogether(() => fillMentions(template, answerText, encoded));
  const target = URL.parse(address.trim());
  if (target === null || !/^https?:$/.test(target.protocol)) return null;
  return target.href.length <= MAX_ADDRESS ? target.href : null;
}

/** A text cut elsewhere may end in half a surrogate pair, for which `encodeURIComponent` throws. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
