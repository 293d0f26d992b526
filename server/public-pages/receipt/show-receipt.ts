import { type Html, html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { notFound } from '../../http/errors.ts';
import type { AnswerLine } from '../../mail/answer-lines.ts';
import { findPayment } from '../../payments/queries.ts';
import { type Receipt, receiptOf, receiptText } from '../../receipts/receipt.ts';
import { createReceiptSigner } from '../../receipts/receipt-signer.ts';
import { openSubmissionHash } from '../../submissions/acceptance/submission-hash.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { createFailurePage } from '../failure.ts';
import { inSameLanguage } from '../page/language-choice.ts';
import type { MessagePage } from '../page/message-pages.ts';
import { sendMessage } from '../page/send-page.ts';
import { type FindAskedForm, type PageRequest, pageParams } from '../page-request.ts';
import { findSent } from '../queries.ts';
import { queryOf } from '../visit/visit.ts';
import { CHECK_RECEIPT } from './check-receipt.ts';

/**
 * A link from the thank-you page to the receipt; null if the form gives none.
 * @param hash that opened the thank-you page; it opens the receipt too
 */
export function receiptLink(form: PublishedForm, hash: string): Html | null {
  if (!form.givesReceipts) return null;
  const { receipt } = languageFor(form.presentation.language).page;
  return html`<a class="button quiet" href="${receiptPath(form, hash)}">${receipt}</a>`;
}

/** What somebody has sent, to print, and as a signed text to keep. */
export function registerReceipts(app: App, context: Context, find: FindAskedForm): void {
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };
  const sign = createReceiptSigner(context);

  app.get(
    '/forms/:form/receipt',
    { config, schema: { params: pageParams, hide: true } },
    async (request: PageRequest, reply) => {
      const { form } = await find(request);
      const query = queryOf(request);
      const hash = query.get('receipt') ?? '';
      const id = openSubmissionHash(context.secrets, form.id, hash, 'receipt');
      const sent = form.givesReceipts && id && (await findSent(context.db, form.id, id));
      if (!id || !sent) throw notFound('Submission');
      const payment = await findPayment(context.db, form.id, id);
      const receipt = receiptOf(context, form, { ...sent, publicId: id, payment });
      const checkedAt = `${context.baseUrl()}${CHECK_RECEIPT}`;
      if (!query.has('signed'))
        return sendMessage(context, reply, form, receiptPage(form, receipt, hash, checkedAt));
      const copy = await sign(receiptText(receipt, form.presentation.language, checkedAt));
      // Scripts of other sites may not read what somebody has sent.
      reply.removeHeader('access-control-allow-origin').removeHeader('access-control-expose-headers');
      return reply
        .type('text/plain; charset=utf-8')
        .headers({ 'content-disposition': `attachment; filename="${form.slug}-receipt.txt"` })
        .send(copy);
    },
  );
}

function receiptPage(form: PublishedForm, receipt: Receipt, hash: string, checkedAt: string): MessagePage {
  const { page: texts } = languageFor(form.presentation.language);
  const [beforeAddress, afterAddress] = texts.receiptProof.split('{address}');
  return {
    title: form.title,
    titlePrefix: `${texts.receipt}:`,
    styles: ['receipt'],
    script: { name: 'receipt', data: null },
    main: html`<div class="page receipt">
<h1>${form.title}</h1>
<h2>${texts.receipt}</h2>
${receipt.facts.map(
  (fact) => html`<p>${fact}</p>
`,
)}
<dl>${receipt.lines.map(answerOf)}</dl>
<p>${beforeAddress}<a href="${checkedAt}">${checkedAt}</a>${afterAddress}</p>
<div class="nav">
<a class="button primary" href="${receiptPath(form, hash)}&signed" download>${texts.downloadSigned}</a>
<button type="button" class="quiet" data-print hidden>${texts.print}</button>
</div>
</div>`,
  };
}

function answerOf({ name, text }: AnswerLine): Html {
  return html`<dt dir="auto">${name}</dt>
<dd dir="auto">${text}</dd>
`;
}

function receiptPath(form: PublishedForm, hash: string): string {
  return inSameLanguage(form, `/forms/${form.slug}/receipt?receipt=${hash}`);
}
