import { serverEngines } from '../../fields/server-engines.ts';
import type { Context } from '../context.ts';
import { linkSource } from '../files/file-links.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { declineMails } from '../recipients/link-queries.ts';
import { linkHolderOf, PERSONAL } from '../recipients/personal-link.ts';
import { preparePublishedForm } from '../submissions/published-form/published-form.ts';
import { findSentForm } from '../submissions/published-form/queries.ts';
import { createFailurePage } from './failure.ts';
import { mailsStoppedPage, stopMailsPage } from './page/message-pages.ts';
import { inVisitorsLanguage } from './page/page-language.ts';
import { sendMessage } from './page/send-page.ts';
import { type PageRequest, pageParams } from './page-request.ts';
import { ignoreBodies } from './posting/posted-body.ts';
import { pathOf, queryOf } from './visit/visit.ts';

/**
 * Where a recipient stops mails about a form. The mail's headers name the same address, and mail programs post to it when their
 * unsubscribe button is pressed (RFC 8058).
 */
export async function registerStopMails(app: App, context: Context): Promise<void> {
  const config = { access: { kind: 'public' as const }, failurePage: createFailurePage(context) };
  const path = '/forms/:form/stop-mails';

  /** Finds draft forms as well: they may be published and mailed again. */
  async function findHolder(request: PageRequest) {
    const row = await findSentForm(context.db, request.params.form);
    const holder = row && (await linkHolderOf(context, row, queryOf(request).get(PERSONAL)));
    if (!holder) throw notFound('Recipient');
    const form = preparePublishedForm(row, serverEngines, linkSource(context));
    return { form: inVisitorsLanguage(form, request), holder };
  }

  app.get(
    path,
    { config, schema: { params: pageParams, hide: true } },
    async (request: PageRequest, reply) => {
      const { form, holder } = await findHolder(request);
      const action = `${pathOf(form)}/stop-mails?${PERSONAL}=${holder.code}`;
      return sendMessage(context, reply, form, stopMailsPage(form, action));
    },
  );

  await app.register(async (scope) => {
    ignoreBodies(scope);
    scope.post(
      path,
      { config, schema: { params: pageParams, hide: true } },
      async (request: PageRequest, reply) => {
        const { form, holder } = await findHolder(request);
        await declineMails(context.db, form.id, holder.code);
        return sendMessage(context, reply, form, mailsStoppedPage(form));
      },
    );
  });
}
