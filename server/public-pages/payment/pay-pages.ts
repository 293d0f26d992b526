import { amountText } from '../../../fields/as-text/currencies.ts';
import { type Html, html } from '../../../fields/html/html.ts';
import type { PageTexts } from '../../../fields/languages/language.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { type AmountDue, wholeUnits } from '../../../fields/payment.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { keptPage, type Obstacle, statePage } from '../confirmation/confirm-pages.ts';
import { inSameLanguage } from '../page/language-choice.ts';
import type { MessagePage } from '../page/message-pages.ts';
import { pathOf } from '../visit/visit.ts';

/** Where people pay by Stripe's own page; browsers let the button lead only there. */
const STRIPE_PAGES = 'https://checkout.stripe.com';

/** What is shown of a payment. */
interface Asked {
  due: AmountDue;
  token: string;
  /** No money moves. */
  isTest: boolean;
}

/** The path of the page where a submission is paid, in the language at hand. */
export function payPath(form: PublishedForm, token: string): string {
  return inSameLanguage(form, `/forms/${form.slug}/pay?token=${token}`);
}

/**
 * Asks to press a button, because Stripe's page is made only for those who want it. It opens in the whole window, as that page cannot be
 * shown in a frame.
 * @param hasFailed the page could not be made just now
 */
export function payPage(form: PublishedForm, { due, token, isTest }: Asked, hasFailed: boolean): MessagePage {
  const { texts, withAmount } = wordsOf(form, due);
  const action = inSameLanguage(form, `${pathOf(form)}/pay?token=${token}`);
  const page = statePage(
    form,
    texts.payTitle,
    html`${hasFailed && html`<p class="notice" role="alert">${texts.payFailed}</p>\n`}<p>${withAmount(texts.payText)}</p>
${isTest && html`<p class="notice">${texts.payTest}</p>\n`}<form method="post" action="${action}" target="_top">
<div class="nav"><button class="primary" type="submit"><span>${withAmount(texts.payButton)}</span></button></div>
</form>`,
  );
  return { ...page, leadsTo: STRIPE_PAGES, ...(hasFailed && { status: 503 }) };
}

/** Whether a browser may be sent on to this page by the button. */
export function isStripePage(url: string): boolean {
  return url.startsWith(`${STRIPE_PAGES}/`);
}

/** For a page of Stripe under a domain of the account: the button may not lead there, but a link may. */
export function linkPage(form: PublishedForm, due: AmountDue, url: string): MessagePage {
  const { texts, withAmount } = wordsOf(form, due);
  return statePage(
    form,
    texts.payTitle,
    html`<p>${withAmount(texts.payText)}</p>
<div class="nav"><a class="button primary" href="${url}" target="_top"><span>${withAmount(texts.payButton)}</span></a></div>`,
  );
}

/** What is said of a payment that nobody can go on with now. */
export function paymentStatePage(
  form: PublishedForm,
  due: AmountDue,
  text: 'payProcessing' | 'payUnknown' | 'paidKept' | 'thankYouText',
): MessagePage {
  const { texts, withAmount } = wordsOf(form, due);
  return statePage(form, null, html`<p>${withAmount('{amount}')}</p>\n<p>${texts[text]}</p>`);
}

/** For answers that the form would not take in any more: no money is asked for. */
export function notPayablePage(form: PublishedForm, obstacle: Obstacle): MessagePage & { status: number } {
  return keptPage(form, obstacle, languageFor(form.presentation.language).page.payNothing);
}

/** The amount stands in one line, in its own direction. */
function wordsOf(form: PublishedForm, due: AmountDue): { texts: PageTexts; withAmount(text: string): Html } {
  const { page: texts, code } = languageFor(form.presentation.language);
  const amount = amountText(wholeUnits(due), due.currency, code);
  return {
    texts,
    withAmount(text) {
      const [before, after = ''] = text.split('{amount}');
      return html`${before}<bdi>${amount}</bdi>${after}`;
    },
  };
}
