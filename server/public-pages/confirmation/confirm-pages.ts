import { type Html, html } from '../../../fields/html/html.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { inSameLanguage } from '../page/language-choice.ts';
import type { MessagePage } from '../page/message-pages.ts';
import { pathOf } from '../visit/visit.ts';

/** What became of a wish to get the mail once more. */
export type SentAgain = 'again' | 'often';

/**
 * After sending, while the address waits to be confirmed.
 * @param receipt of the submission
 * @param sentAgain null if nobody has asked for another mail
 */
export function waitingPage(
  form: PublishedForm,
  { address, receipt, sentAgain }: { address: string; receipt: string; sentAgain: SentAgain | null },
): MessagePage {
  const { texts, withAddress } = wordsOf(form);
  const action = inSameLanguage(form, `${pathOf(form)}/send-again?receipt=${receipt}`);
  const notice = sentAgain === 'again' ? texts.sentAgain : texts.sentOften;
  return statePage(
    form,
    texts.confirmTitle,
    html`<p>${withAddress(texts.confirmSent, address)}</p>
${sentAgain === null ? html`<p>${texts.confirmSpam}</p>` : html`<p class="notice" role="status">${notice}</p>`}
<form method="post" action="${action}">
<div class="nav"><button class="quiet" type="submit">${texts.sendAgain}</button></div>
</form>`,
  );
}

/** Asks to press a button, because programs that check links in mails press none. */
export function confirmPage(form: PublishedForm, address: string, token: string): MessagePage {
  const { texts, withAddress } = wordsOf(form);
  const action = inSameLanguage(form, `${pathOf(form)}/confirm?token=${token}`);
  return statePage(
    form,
    texts.confirmTitle,
    html`<p>${withAddress(texts.confirmText, address)}</p>
<form method="post" action="${action}">
<div class="nav"><button class="primary" type="submit">${texts.confirm}</button></div>
</form>`,
  );
}

/** For a link that was used. */
export function confirmedPage(form: PublishedForm): MessagePage {
  return statePage(form, null, html`<p>${wordsOf(form).texts.confirmedAlready}</p>`);
}

/** For a link that was never sent, or whose answers are gone. */
export function unknownLinkPage(form: PublishedForm): MessagePage {
  const { texts } = wordsOf(form);
  const link = html`<a class="button primary" href="${inSameLanguage(form, `/forms/${form.slug}`)}">${texts.fillAgain}</a>`;
  return {
    ...statePage(form, null, html`<p>${texts.continueLinkInvalid}</p>\n<div class="nav">${link}</div>`),
    status: 404,
  };
}

/** Why a form does not take the answers in, although the address is confirmed. */
export type Obstacle = 'closedTitle' | 'fullTitle' | 'confirmUnfit';

/**
 * The answers stay where they are: the people of the form may still take them in.
 * @param before what is said before that
 */
export function keptPage(
  form: PublishedForm,
  obstacle: Obstacle,
  before = '',
): MessagePage & { status: number } {
  const { texts } = wordsOf(form);
  const isState = obstacle !== 'confirmUnfit';
  return {
    ...statePage(
      form,
      isState ? texts[obstacle] : null,
      html`${!isState && html`<p>${texts[obstacle]}</p>\n`}<p>${before && `${before} `}${texts.confirmKept}</p>`,
    ),
    status: isState ? 403 : 422,
  };
}

/** Says how the answers of a submission stand. @param state the heading of that; null for none */
export function statePage({ title }: PublishedForm, state: string | null, content: Html): MessagePage {
  return {
    title,
    main: html`<div class="page">
<h1>${title}</h1>
${state !== null && html`<h2>${state}</h2>\n`}${content}
</div>`,
  };
}

/** The address stands in its own direction, and can be told from the text around it. */
function wordsOf(form: PublishedForm): {
  texts: PageTexts;
  withAddress(text: string, address: string): Html;
} {
  const { page: texts } = languageFor(form.presentation.language);
  return {
    texts,
    withAddress(text, address) {
      const [before, after = ''] = text.split('{address}');
      return html`${before}<strong dir="ltr">${address}</strong>${after}`;
    },
  };
}
