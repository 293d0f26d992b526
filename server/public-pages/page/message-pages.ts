import { type Html, html, trusted } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { PRESENTATION_DEFAULTS, type Presentation } from '../../forms/schemas.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import type { VisitedForm } from '../visit/visited-form.ts';
import { momentIn } from './moment-in.ts';
import { resultsLink } from './results-link.ts';

/** The content of `<main>` of a page that replaces the form. */
export interface MessagePage {
  /** Status of the response, unless the reply has it already. */
  status?: number;
  title: string;
  /** Of a page about no form. */
  language?: string;
  /** No other site may show it in a frame. */
  standsAlone?: boolean;
  /** Origin of another site that its button leads to. */
  leadsTo?: string;
  main: Html;
  script?: { name: string; data: unknown } | null;
  /** Names of style sheets in addition to the base and the theme. */
  styles?: readonly string[];
  /** Stands before the title in `<title>`. */
  titlePrefix?: string;
  /** Path of the page, after the address of the form. */
  path?: string;
}

/** @returns null if the form accepts answers */
export function unavailablePage({ form, isClosed, isFull }: VisitedForm): MessagePage | null {
  const { presentation } = form;
  const { page: texts } = languageFor(presentation.language);
  if (!isClosed && !isFull) return null;
  const opensAt = form.opensAfter(new Date());
  if (opensAt) return notYetPage(form, opensAt);
  const [state, text] = isClosed
    ? [texts.closedTitle, richText(presentation.closed_text) ?? texts.closedText]
    : [texts.fullTitle, richText(ownText(presentation, 'max_submissions_reached_text')) ?? texts.fullText];
  return message(form.title, text, state, resultsLink(form));
}

/** The script writes the moment in the visitor's time zone, and loads the form then. */
function notYetPage(form: PublishedForm, opensAt: Date): MessagePage {
  const { page: texts, code } = languageFor(form.presentation.language);
  const line = html`<time datetime="${opensAt.toISOString()}" data-opens="${texts.opensOn}">${momentIn(texts.opensOn, opensAt, code)}</time>`;
  return {
    title: form.title,
    main: html`<div class="page"><h1>${form.title}</h1><h2>${line}</h2></div>`,
    script: { name: 'opens', data: null },
  };
}

/** Replaces a form that requires personal links, for visitors without one. */
export function personalLinkPage(form: PublishedForm): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return message(form.title, texts.personalText, texts.personalTitle);
}

/** For recipients who have answered by their personal link. */
export function answeredPage(form: PublishedForm): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return message(form.title, texts.answeredText, texts.answeredTitle);
}

/** Asks for confirmation before mails about the form are stopped, because programs that check links press no buttons. */
export function stopMailsPage(form: PublishedForm, action: string): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return {
    title: form.title,
    main: html`<div class="page">
<h1>${form.title}</h1>
<p>${texts.stopMailsText}</p>
<form method="post" action="${action}">
<div class="nav"><button class="primary" type="submit">${texts.stopMails}</button></div>
</form>
</div>`,
  };
}

export function mailsStoppedPage(form: PublishedForm): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return message(form.title, texts.mailsStopped);
}

/**
 * Asks for a form's password; shows nothing of the form but its look.
 * @param problem with the last password, if there was one
 * @param held hidden inputs that are sent with the password
 */
export function passwordPage(
  form: PublishedForm,
  action: string,
  problem: 'wrongPassword' | 'tooMany' | null,
  held: Html | null = null,
): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return {
    status: 403,
    title: texts.protectedTitle,
    main: html`<div class="page">
<h1>${texts.protectedTitle}</h1>
<p id="hint">${texts.protectedText}</p>
<form method="post" action="${action}">
${held}
<div class="block">
<label for="password">${texts.passwordLabel}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus aria-describedby="hint password-error"${trusted(problem ? ' aria-invalid="true"' : '')}>
<p class="error" id="password-error" role="alert">${problem && texts[problem]}</p>
</div>
<div class="nav"><button class="primary" type="submit">${texts.unlock}</button></div>
</form>
</div>`,
  };
}

export function notFoundPage(): MessagePage {
  const { page: texts } = languageFor('en');
  return message(texts.notFoundTitle, texts.notFoundText);
}

/** For failures on our side, and too many requests. */
export function failurePage(form: PublishedForm | null, text: string): MessagePage {
  const { page: texts } = languageFor(form?.presentation.language ?? 'en');
  return message(texts.failedTitle, text);
}

type TextWithDefault = 'submitted_text' | 'max_submissions_reached_text' | 'editable_submissions_button_text';

/** The owner's text, or null for the English default of new forms: the page has that text in its own language. */
export function ownText(presentation: Presentation, key: TextWithDefault): string | null {
  return presentation[key] === PRESENTATION_DEFAULTS[key] ? null : presentation[key];
}

/** An owner's text as safe markup; null if it is empty. */
export function richText(text: string | null): Html | null {
  const safe = text === null ? '' : serverEngines.sanitiseHtml(text).trim();
  return safe === '' ? null : html`<div class="rich">${trusted(safe)}</div>`;
}

function message(title: string, text: Html | string, state?: string, link: Html | null = null): MessagePage {
  const body = typeof text === 'string' ? html`<p>${text}</p>` : text;
  const heading = state === undefined ? null : html`<h2>${state}</h2>`;
  return {
    title,
    main: html`<div class="page"><h1>${title}</h1>${heading}${body}${link && html`<div class="nav">${link}</div>`}</div>`,
  };
}
