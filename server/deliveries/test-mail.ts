import { randomUUID } from 'node:crypto';
import { findUser } from '../accounts/queries.ts';
import type { Context } from '../context.ts';
import { linkSource } from '../files/file-links.ts';
import type { IntegrationRow } from '../integrations/queries.ts';
import { compileMail, type FrozenMail } from '../mail/compile-mail.ts';
import { mailSettings } from '../mail/mail-kinds.ts';
import { takePlaceOfForm } from '../mail/mail-limits.ts';
import { withResponseLink } from '../mail/response-link.ts';
import { isDelivered } from './attempt.ts';
import { MAIL_FAILURES, prepareMail, sendMail } from './deliver-mail.ts';
import type { MailEndpoint } from './endpoints.ts';
import { type DeliveredForm, type NumberedSubmission, wholeBody } from './payload.ts';

interface TestMail {
  form: DeliveredForm;
  submission: NumberedSubmission;
  integration: IntegrationRow;
  userId: number | null;
}

const NOT_CONFIGURED =
  'No mail server is set, neither for the workspace nor for this service (SMTP_URL): this is what would be sent.';

/**
 * Sends a mail with made-up answers to the recipients; a confirmation, as it has no respondent, goes to the caller. Without a mail
 * server it only shows the mail. The result has the shape of a test delivery's.
 */
export async function sendTestMail(
  context: Context,
  endpoint: MailEndpoint,
  { form, submission, integration, userId }: TestMail,
) {
  const isConfirmation = endpoint.kind === 'email_confirmation';
  const settings = mailSettings(integration.data);
  const { writePayload } = compileMail(form, endpoint.kind, settings, linkSource(context));
  const frozen = withResponseLink(
    JSON.parse(wholeBody(writePayload(submission), submission.id)) as FrozenMail,
  );
  if (isConfirmation) {
    delete frozen.to;
    const user = userId === null ? null : await findUser(context.db, userId);
    if (user !== null) frozen.to = user.email;
  }
  const body = JSON.stringify(frozen);
  const mail = prepareMail(endpoint, { webhookId: randomUUID(), body });
  const to = [mail?.to ?? []].flat().join(', ');
  const headers: Record<string, string> = { To: to, Subject: frozen.subject };
  if (frozen.reply_to !== undefined) headers['Reply-To'] = frozen.reply_to;
  const request = { url: `mailto:${to}`, headers, body };

  if (mail === null) return refused(request, 'no_recipient', MAIL_FAILURES.no_recipient);
  if (!endpoint.mailer.isConfigured) return refused(request, 'mail_server_failed', NOT_CONFIGURED);
  if (!(await takePlaceOfForm(context, form.id, endpoint.kind)))
    return refused(request, 'form_mail_limit', MAIL_FAILURES.form_mail_limit);
  const result = await sendMail(endpoint.mailer, context.log, mail, isConfirmation);
  if (!result.ok) return refused(request, result.reason, result.detail, result.durationMs);
  const { status, bodyExcerpt: excerpt, durationMs: duration_ms } = result;
  return {
    type: isDelivered(result) ? ('success' as const) : ('error' as const),
    message: `The mail server answered with ${status}.`,
    request,
    response: { status, excerpt, duration_ms },
    failure: null,
  };
}

function refused(
  request: { url: string; headers: Record<string, string>; body: string },
  reason: string,
  detail: string,
  duration_ms = 0,
) {
  const failure = { reason, detail, duration_ms };
  return { type: 'error' as const, message: detail, request, response: null, failure };
}
