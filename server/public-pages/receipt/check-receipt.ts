import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type Html, html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/app-type.ts';
import { bodyTooLarge } from '../../http/errors.ts';
import { checkReceipt, type ReceiptVerdict } from '../../receipts/check-receipt.ts';
import { createFailurePage } from '../failure.ts';
import type { MessagePage } from '../page/message-pages.ts';
import { acceptedLanguages } from '../page/page-language.ts';
import { sendMessage } from '../page/send-page.ts';
import { FORM_TYPES, installFormParsers, MAX_POST_BYTES, readPostedBody } from '../posting/posted-body.ts';

/** Where anybody checks a receipt of this installation, also one of a form that is gone. */
export const CHECK_RECEIPT = '/receipts';

/** A receipt holds the answers of one submission; more is none. */
const MAX_RECEIPT_BYTES = MAX_POST_BYTES;

export async function registerReceiptCheck(app: App, context: Context): Promise<void> {
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };

  app.get(CHECK_RECEIPT, { config, schema: { hide: true } }, (request, reply) =>
    sendMessage(context, reply, null, checkPage(request, null)),
  );

  await app.register(async (scope) => {
    await installFormParsers(scope);
    scope.post(
      CHECK_RECEIPT,
      { config, bodyLimit: MAX_POST_BYTES, schema: { consumes: FORM_TYPES, hide: true } },
      async (request, reply) => {
        const body = await readPostedBody(request, ({ file }) => textIn(file));
        const text = [...(body.file ?? []), ...(body.text ?? [])].find((text) => text.trim() !== '') ?? '';
        return sendMessage(context, reply, null, checkPage(request, await checkReceipt(context.db, text)));
      },
    );
  });
}

async function textIn(file: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of file) {
    bytes += chunk.length;
    if (bytes > MAX_RECEIPT_BYTES) throw bodyTooLarge(MAX_RECEIPT_BYTES);
    chunks.push(chunk);
  }
  // What a text cannot contain, a receipt does not either.
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '�');
}

function checkPage(request: FastifyRequest, verdict: ReceiptVerdict | null): MessagePage {
  const { page: texts, code } = languageFor(acceptedLanguage(request));
  const said = {
    genuine: texts.receiptGenuine,
    false: texts.receiptFalse,
    unreadable: texts.receiptUnreadable,
  };
  const outcome: Html | null =
    verdict &&
    html`<p class="${verdict === 'genuine' ? 'notice' : 'error'}" role="status">${said[verdict]}</p>`;
  return {
    language: code,
    standsAlone: true,
    title: texts.checkReceipt,
    main: html`<div class="page">
<h1>${texts.checkReceipt}</h1>
${outcome}
<form method="post" action="${CHECK_RECEIPT}" enctype="multipart/form-data">
<div class="blocks">
<div class="block"><label for="file">${texts.receiptFile}</label>
<input id="file" name="file" type="file" accept=".txt,text/plain"></div>
<div class="block"><label for="text">${texts.receiptWhole}</label>
<textarea id="text" name="text" rows="8"></textarea></div>
</div>
<div class="nav"><button class="primary" type="submit">${texts.checkReceipt}</button></div>
</form>
</div>`,
  };
}

/** The first language the browser accepts that there are texts for. */
function acceptedLanguage(request: FastifyRequest): string {
  return acceptedLanguages(request).find((code) => languageFor(code).code === code) ?? 'en';
}
