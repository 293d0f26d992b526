import { FORM_WRITING, formOf } from '../access/guard.ts';
import { parseEmail } from '../accounts/email.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { success } from '../http/schemas/success.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { NO_MAIL_SERVER } from '../mail/can-mail.ts';
import { findMailServerOfForm } from '../mail/queries.ts';
import { changeRecipients } from './change-recipients.ts';
import { correctAddresses } from './correct-addresses.ts';
import { cancelMails, findMailedForm, queueMails, saveMailText } from './mail-queries.ts';
import { cancelMailsSchema, correctRecipientsSchema, sendMailsSchema } from './schemas.ts';

export function registerRecipientMailRoutes(app: App, context: Context): void {
  app.post(
    '/open/forms/:form/recipients/mails',
    { config: FORM_WRITING, schema: sendMailsSchema },
    async (request) => {
      const { kind, subject, text, ids = null } = request.body;
      const mailServer = await findMailServerOfForm(context.db, formOf(request).id);
      if (!context.mailerOf(mailServer).isConfigured) throw invalid({ kind: [NO_MAIL_SERVER] });
      const replyTo = readReplyTo(request.body.reply_to);
      const queued = await changeRecipients(context, formOf(request), async ({ trx, formId }) => {
        if (!(await findMailedForm(trx, formId))?.isOpen)
          throw invalid({ kind: ['The form takes no answers: it is a draft, closed or full.'] });
        await saveMailText(trx, formId, kind, { subject, text, reply_to: replyTo });
        const count = await queueMails(trx, formId, kind, ids);
        const details = { kind, count };
        await recordEvent(trx, actorOf(request), { verb: 'recipients.mailed', formId, details });
        await sendSoon(trx);
        return count;
      });
      return success('Mails are on their way.', { queued });
    },
  );

  app.post(
    '/open/forms/:form/recipients/correct',
    { config: FORM_WRITING, schema: correctRecipientsSchema },
    async (request) => {
      const mailServer = await findMailServerOfForm(context.db, formOf(request).id);
      const { isConfigured } = context.mailerOf(mailServer);
      const { corrected, newLinks, queued } = await changeRecipients(
        context,
        formOf(request),
        async (change) => {
          const done = await correctAddresses(change, request.body.recipients, isConfigured);
          const details = { count: done.corrected };
          const event = { verb: 'recipients.corrected', formId: change.formId, details } as const;
          await recordEvent(change.trx, actorOf(request), event);
          if (done.queued > 0) await sendSoon(change.trx);
          return done;
        },
      );
      return success('Addresses successfully corrected.', { corrected, new_links: newLinks, queued });
    },
  );

  app.delete(
    '/open/forms/:form/recipients/mails',
    { config: FORM_WRITING, schema: cancelMailsSchema },
    async (request) => {
      const cancelled = await changeRecipients(context, formOf(request), async ({ trx, formId }) => {
        const count = await cancelMails(trx, formId);
        await recordEvent(trx, actorOf(request), {
          verb: 'recipients.mails_cancelled',
          formId,
          details: { count },
        });
        return count;
      });
      return success('Mails that had not gone out were cancelled.', { cancelled });
    },
  );
}

/** @throws HttpError 422 for a text that is no address */
function readReplyTo(written: string | null = null): string | null {
  if (!written?.trim()) return null;
  const address = parseEmail(written);
  if (address === null) throw invalid({ reply_to: ['The reply to must be a valid email address.'] });
  return address;
}

/** Starts the job at once instead of waiting for the clock. */
function sendSoon(trx: Transaction): Promise<void> {
  return enqueue(trx, 'send_recipient_mails', {}, { key: 'send_recipient_mails', maxAttempts: 1 });
}
