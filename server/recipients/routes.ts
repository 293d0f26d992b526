import { type Access, FORM_WRITING, formOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { findAddressedForm } from '../forms/address/address-queries.ts';
import type { AddressedForm } from '../forms/address/form-address.ts';
import type { App } from '../http/app-type.ts';
import { success } from '../http/schemas/success.ts';
import { findMailServerOfForm } from '../mail/queries.ts';
import { addToList, readRecipients } from './add-recipients.ts';
import { changeLinks, changeRecipients } from './change-recipients.ts';
import { forgetWhoAnsweredWhat } from './forget-queries.ts';
import { countMeant } from './mail-queries.ts';
import { registerRecipientMailRoutes } from './mail-routes.ts';
import { personalLink } from './personal-link.ts';
import {
  countByStatus,
  deleteRecipients,
  findRecipients,
  type Recipient,
  reopenRecipients,
} from './queries.ts';
import {
  addRecipientsSchema,
  deleteRecipientsSchema,
  listRecipientsSchema,
  readLinksSchema,
  reopenRecipientsSchema,
  saveLinksSchema,
} from './schemas.ts';
import { findLinkSettings, updateLinkSettings } from './settings-queries.ts';

/** Links let their reader answer as somebody else, so they need the right to change answers, too. */
const reading: Access = { kind: 'form', ability: 'forms-read', role: 'user', in: 'path' };

export function registerRecipientRoutes(app: App, context: Context): void {
  const { db } = context;

  app.get(
    '/open/forms/:form/personal-links',
    { config: { access: reading }, schema: readLinksSchema },
    async (request) => presentSettings(context, formOf(request).id),
  );

  app.put(
    '/open/forms/:form/personal-links',
    { config: FORM_WRITING, schema: saveLinksSchema },
    async (request) => {
      const form = formOf(request);
      await changeLinks(context, form, async ({ trx, formId, settings }) => {
        const { required = settings.required, anonymous = settings.anonymous } = request.body;
        await updateLinkSettings(trx, formId, { required, anonymous });
        // Only once: later answers leave no trace, and their keys are honoured as everywhere.
        if (anonymous && !settings.anonymous) await forgetWhoAnsweredWhat(trx, formId);
        const details = { required, anonymous };
        await recordEvent(trx, actorOf(request), { verb: 'personal_links.changed', formId, details });
      });
      return presentSettings(context, form.id);
    },
  );

  app.get(
    '/open/forms/:form/recipients',
    { config: { access: reading }, schema: listRecipientsSchema },
    async (request) => {
      const { id } = formOf(request);
      const { limit, submission_id: submissionId, ...filter } = request.query;
      const [form, found] = await Promise.all([
        findAddressedForm(db, id),
        findRecipients(db, id, { ...filter, submissionId }, limit),
      ]);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        data: page.map((recipient) => presentRecipient(context, form, recipient)),
        meta: { next_after: last?.id ?? null },
      };
    },
  );

  app.post(
    '/open/forms/:form/recipients',
    { config: FORM_WRITING, schema: addRecipientsSchema },
    async (request) => {
      const recipients = readRecipients(request.body.recipients);
      const form = formOf(request);
      const rows = await changeRecipients(context, form, async (change) => {
        const added = await addToList(change, recipients);
        const details = { count: countNew(added) };
        const event = { verb: 'recipients.added', formId: form.id, details } as const;
        await recordEvent(change.trx, actorOf(request), event);
        return added;
      });
      const addressed = await findAddressedForm(db, form.id);
      const added = countNew(rows);
      return success('Recipients successfully added.', {
        added,
        already_there: new Set(rows.map(({ id }) => id)).size - added,
        recipients: rows.map(({ id, code, isNew }, index) => ({
          index,
          id,
          link: personalLink(context, addressed, code),
          is_new: isNew,
        })),
      });
    },
  );

  app.post(
    '/open/forms/:form/recipients/delete',
    { config: FORM_WRITING, schema: deleteRecipientsSchema },
    async (request) => {
      const deleted = await changeRecipients(context, formOf(request), async ({ trx, formId }) => {
        const count = await deleteRecipients(trx, formId, request.body.ids);
        await recordEvent(trx, actorOf(request), { verb: 'recipients.deleted', formId, details: { count } });
        return count;
      });
      return success('Recipients successfully deleted.', { deleted });
    },
  );

  app.post(
    '/open/forms/:form/recipients/reopen',
    { config: FORM_WRITING, schema: reopenRecipientsSchema },
    async (request) => {
      const reopened = await changeRecipients(context, formOf(request), async ({ trx, formId }) => {
        const count = await reopenRecipients(trx, formId, request.body.ids);
        await recordEvent(trx, actorOf(request), { verb: 'recipients.reopened', formId, details: { count } });
        return count;
      });
      return success('Recipients may answer once more.', { reopened });
    },
  );

  registerRecipientMailRoutes(app, context);
}

async function presentSettings({ db, mailerOf }: Context, formId: number) {
  const [settings, counts, mails, mailServer] = await Promise.all([
    findLinkSettings(db, formId),
    countByStatus(db, formId),
    countMeant(db, formId),
    findMailServerOfForm(db, formId),
  ]);
  return {
    ...settings,
    mail_is_set_up: mailerOf(mailServer).isConfigured,
    counts,
    mails,
  };
}

function presentRecipient(context: Context, form: AddressedForm, recipient: Recipient) {
  const { code, ...rest } = recipient;
  return {
    ...rest,
    link: personalLink(context, form, code),
    mailed_at: momentText(recipient.mailed_at),
    opened_at: momentText(recipient.opened_at),
    answered_at: momentText(recipient.answered_at),
    declined_at: momentText(recipient.declined_at),
    created_at: recipient.created_at.toISOString(),
  };
}

function momentText(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

/** An address that occurs twice in a call has the same row at both places. */
function countNew(rows: readonly { id: number; isNew: boolean }[]): number {
  return new Set(rows.filter(({ isNew }) => isNew).map(({ id }) => id)).size;
}
