import { type Html, html, trusted } from '../../fields/html/html.ts';
import { languageFor } from '../../fields/languages/languages.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import { PRESENTATION_DEFAULTS, type Presentation } from '../forms/schemas.ts';
import type { PublishedForm } from '../submissions/published-forms.ts';
import { momentIn } from './moment-in.ts';
import { resultsLink } from './results-link.ts';
import type { VisitedForm } from './visited-form.ts';

/** Pages that are shown in place of a form: what they say between `<main>` and `</main>`. */
export interface MessagePage {
  title: string;
  main: Html;
  script?: { name: string; data: unknown } | null;
  /** Names of style sheets besides the base and the theme. */
  styles?: readonly string[];
  /** In front of the title in `<title>`. */
  titlePrefix?: string;
  /** Of the page, behind the address of the form. */
  path?: string;
}

/** @returns null when the form takes answers */
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

/** The script writes the moment in the visitor's zone, and shows the form when it has come. */
function notYetPage(form: PublishedForm, opensAt: Date): MessagePage {
  const { page: texts, code } = languageFor(form.presentation.language);
  const line = html`<time datetime="${opensAt.toISOString()}" data-opens="${texts.opensOn}">${momentIn(texts.opensOn, opensAt, code)}</time>`;
  return {
    title: form.title,
    main: html`<div class="page"><h1>${form.title}</h1><h2>${line}</h2></div>`,
    script: { name: 'opens', data: null },
  };
}

/** In place of a form that is answered by personal links, for whoever came without one. */
export function personalLinkPage(form: PublishedForm): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return message(form.title, texts.personalText, texts.personalTitle);
}

/** For whoever has answered by their personal link. */
export function answeredPage(form: PublishedForm): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return message(form.title, texts.answeredText, texts.answeredTitle);
}

/** Asks whether somebody wants no more mails about the form: programs that look at links press no buttons. */
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

/** Asks for the password of a protected form; tells nothing of the form but its look. */
export function passwordPage(form: PublishedForm, action: string, isWrong: boolean): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  return {
    title: texts.protectedTitle,
    main: html`<div class="page">
<h1>${texts.protectedTitle}</h1>
<p id="hint">${texts.protectedText}</p>
<form method="post" action="${action}">
<div class="block">
<label for="password">${texts.passwordLabel}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus aria-describedby="hint password-error"${trusted(isWrong ? ' aria-invalid="true"' : '')}>
<p class="error" id="password-error" role="alert">${isWrong && texts.wrongPassword}</p>
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

/** For what went wrong on our side, or was asked too often. */
export function failurePage(form: PublishedForm | null, text: string): MessagePage {
  const { page: texts } = languageFor(form?.presentation.language ?? 'en');
  return message(texts.failedTitle, text);
}

type TextWithDefault = 'submitted_text' | 'max_submissions_reached_text' | 'editable_submissions_button_text';

/** What the owner wrote, or null for the English text of every new form: a page says that in its own language. */
export function ownText(presentation: Presentation, key: TextWithDefault): string | null {
  return presentation[key] === PRESENTATION_DEFAULTS[key] ? null : presentation[key];
}

/** An owner's text as safe markup; null when it says nothing. */
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
