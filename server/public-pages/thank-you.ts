import { cut } from '../../fields/characters.ts';
import { labelled } from '../../fields/choices.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { type Html, html, trusted } from '../../fields/html/html.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { fillMentions } from '../../fields/mentions.ts';
import { type Answers, ownMember } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { plainText } from '../mail/plain-text.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { inSameLanguage } from './language-choice.ts';
import { ownText, richText } from './other-pages.ts';

/** Characters of an answer within the owner's words, which may mention it hundreds of times. */
const MAX_MENTIONED = 2_000;
/** Characters of an address; servers refuse longer ones. */
const MAX_ADDRESS = 8_192;

/** What is shown after a form was sent. */
export function thankYouPage(form: PublishedForm, submissionId: string, answers: Answers): Html {
  const { presentation, slug } = form;
  const { page: texts } = languageFor(presentation.language);
  const written = ownText(presentation, 'submitted_text');
  const text =
    written === null
      ? null
      : fillMentions(written, answerText(form, said(form, answers), MAX_MENTIONED), escaped);
  const editText = ownText(presentation, 'editable_submissions_button_text') ?? texts.editAnswers;
  return html`<div class="page thank-you" tabindex="-1"${trusted(presentation.confetti_on_submission ? ' data-confetti' : '')}>
<h1>${form.title}</h1>
${richText(text) ?? html`<p>${texts.thankYouText}</p>`}
<div class="nav">
${presentation.re_fillable && html`<a class="button primary" href="${inSameLanguage(form, `/forms/${slug}`)}">${presentation.re_fill_button_text ?? texts.fillAgain}</a>`}
${presentation.editable_submissions && html`<a class="button quiet" href="${inSameLanguage(form, `/forms/${slug}?submission_id=${submissionId}`)}">${editText}</a>`}
</div>
</div>`;
}

/**
 * Where the form sends its visitors afterwards, with answers in it; null for nowhere, and for an address that is none or
 * too long.
 */
export function redirectTarget(form: PublishedForm, answers: Answers): string | null {
  const { redirect_url: template } = form.presentation;
  if (template === null) return null;
  // An answer that is cut makes the address too long anyway.
  const answer = answerText(form, answers, MAX_ADDRESS + 1);
  const target = URL.parse(fillMentions(template, answer, encodeURIComponent).trim());
  if (target === null || !/^https?:$/.test(target.protocol)) return null;
  return target.href.length <= MAX_ADDRESS ? target.href : null;
}

/** The answers with what was chosen in the words of the page. */
function said({ properties }: PublishedForm, answers: Answers): Answers {
  const spoken = properties.flatMap((property) => {
    const answer = ownMember(answers, property.id);
    return answer === undefined ? [] : [[property.id, labelled(property, answer)] as const];
  });
  return Object.assign(Object.create(null), Object.fromEntries(spoken));
}

/** Texts of answers as a person reads them, at most so many characters of each. */
function answerText(
  form: PublishedForm,
  answers: Answers,
  limit: number,
): (fieldId: string) => string | null {
  return (fieldId) => {
    const property = form.properties.find(({ id }) => id === fieldId);
    const answer = Object.hasOwn(answers, fieldId) ? answers[fieldId] : undefined;
    if (property === undefined || answer === undefined) return null;
    const text = fieldTypeOf(property.type).toText(answer, property);
    // A rich text is markup already; of it only the words count here.
    const read = fieldTypeOf(property.type).name === 'rich_text' ? words(text) : text;
    return cut(read, limit) || null;
  };
}

function words(markup: string): string {
  return plainText(serverEngines.sanitiseHtml(markup)).replace(/\s+/g, ' ');
}

function escaped(text: string): string {
  return html`${text}`.markup;
}
