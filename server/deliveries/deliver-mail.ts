import { isJsonObject } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { FrozenMail } from '../mail/compile-mail.ts';
import { secondsToNextHour, takePlaceOfForm, takePlaceOfRecipient } from '../mail/mail-limits.ts';
import { type Mail, type Mailer, MailTimeout, refusalIn } from '../mail/mailer.ts';
import { withResponseLink } from '../mail/response-link.ts';
import { OutboundError } from '../outbound/failure.ts';
import type { AttemptResult } from './attempt.ts';
import type { Delivery } from './deliver.ts';
import type { MailEndpoint } from './endpoints.ts';
import type { ClaimedDelivery } from './outbox-queries.ts';

const MAX_EXCERPT = 2048;
/** Of a mail server that cannot be used the log says why, so often at most. */
const LOG_INTERVAL_MS = 60_000;

/** Why no server took a mail. These words are stored and shown. */
export type MailFailure =
  | 'mail_server_failed'
  | 'mail_server_timeout'
  | 'form_mail_limit'
  | 'recipient_mail_limit'
  | 'no_recipient';

/** These failures as sentences. */
export const MAIL_FAILURES: Record<MailFailure, string> = {
  mail_server_failed: 'The mail server of this service could not be used.',
  mail_server_timeout: 'The mail server of this service did not answer in time.',
  form_mail_limit: 'The form has sent as many mails as it may in an hour.',
  recipient_mail_limit: 'This address has been sent as many confirmations of the form as it may be in a day.',
  no_recipient: 'There is nobody to send this to.',
};

/** As OpenSSL words it: codes and places in its source around the reason. */
const OPENSSL_ERROR = /^\w+:error:\w+:SSL routines:[^:]*:([^:]*):.*$/s;

type Parts = Pick<Context, 'db' | 'secrets' | 'log'>;

/** The mail of a delivery; null when its body holds none or it has no recipient. */
export function prepareMail(endpoint: MailEndpoint, { webhookId, body }: Delivery): Mail | null {
  const frozen = readBody(body);
  const isConfirmation = endpoint.kind === 'email_confirmation';
  // A confirmation goes only to the address it was written for.
  const to = isConfirmation ? frozen?.to : endpoint.recipients;
  if (frozen === null || to === undefined || to.length === 0) return null;
  return {
    to,
    subject: frozen.subject,
    text: frozen.text,
    html: frozen.html,
    ...(frozen.reply_to !== undefined && { replyTo: frozen.reply_to }),
    id: webhookId,
    isAutomatic: isConfirmation ? 'replied' : 'generated',
  };
}

/** One attempt to send a mail. Never throws. */
export async function deliverMail(
  parts: Parts,
  endpoint: MailEndpoint,
  delivery: ClaimedDelivery,
): Promise<AttemptResult> {
  const mail = prepareMail(endpoint, delivery);
  if (mail === null) return failed('no_recipient', 0, { isFinal: true });
  const { formId, kind } = endpoint;
  const newlyConfirmed = typeof mail.to === 'string' && delivery.attemptsMade === 0 ? mail.to : null;
  try {
    if (newlyConfirmed !== null && !(await takePlaceOfRecipient(parts, formId, newlyConfirmed)))
      return failed('recipient_mail_limit', 0, { isFinal: true, isExempt: true });
    if (!(await takePlaceOfForm(parts, formId, kind)))
      return failed('form_mail_limit', 0, { retryAfterSeconds: secondsToNextHour(), isExempt: true });
  } catch (error) {
    parts.log.error({ err: error }, 'mails could not be counted');
    return failed('mail_server_failed', 0, { isExempt: true });
  }
  return sendMail(endpoint.mailer, parts.log, mail, kind === 'email_confirmation');
}

/** Hands a mail to the server, once. Never throws. */
export async function sendMail(
  mailer: Mailer,
  log: Parts['log'],
  mail: Mail,
  isConfirmation: boolean,
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const receipt = await mailer.send(mail);
    const refused = receipt.rejected.length > 0 ? `\nNot taken for: ${receipt.rejected.join(', ')}` : '';
    return answered(250, receipt.response + refused, elapsed());
  } catch (error) {
    const refusal = refusalOf(error, isConfirmation, elapsed());
    if (refusal !== null) return refusal;
    logFailure(log, mailer, error);
    const reason = error instanceof MailTimeout ? 'mail_server_timeout' : 'mail_server_failed';
    const detail = mailer.workspaceId === null ? MAIL_FAILURES[reason] : toldOwners(error);
    return failed(reason, elapsed(), { isExempt: true }, detail);
  }
}

/** Why the server of a workspace could not be used; of the installation's only the operator learns more, from the log. */
function toldOwners(error: unknown): string {
  const said = error instanceof OutboundError ? error.detail : (error as Error).message;
  const words = said.replace(OPENSSL_ERROR, 'The secure connection could not be established: $1.');
  return `The mail server of this workspace could not be used: ${printable(words).replaceAll('\n', ' ')}`;
}

/** When each log was told last, by server and command. A workspace's server has a mailer for each use. */
const loggedAt = new WeakMap<Parts['log'], Map<string, number>>();

/** Tells the operator why: the certificate, the sign-in, or the sender that it refuses. */
function logFailure(log: Parts['log'], { workspaceId }: Mailer, error: unknown): void {
  const { command } = error as { command?: string };
  const now = performance.now();
  const known = loggedAt.get(log) ?? new Map<string, number>();
  loggedAt.set(log, known);
  const key = `${workspaceId} ${command}`;
  if (now - (known.get(key) ?? Number.NEGATIVE_INFINITY) < LOG_INTERVAL_MS) return;
  known.set(key, now);
  if (workspaceId === null) log.warn({ err: error, command }, 'the mail server could not be used');
  // Nothing that the operator could mend.
  else log.info({ workspaceId, err: error, command }, 'the mail server of a workspace could not be used');
}

/**
 * What the server said of this mail; null when it could not be used. A permanent refusal is final. Anything
 * else is tried again and does not count against the integration, as the mail server is not the receiver.
 */
function refusalOf(error: unknown, isConfirmation: boolean, durationMs: number): AttemptResult | null {
  const refusal = refusalIn(error);
  if (refusal === null) return null;
  const { responseCode, response, isFinal } = refusal;
  // An address that a respondent got wrong is not the owner's fault.
  const isExempt = isConfirmation || !isFinal;
  return { ...answered(responseCode, response, durationMs), isFinal, isExempt };
}

function answered(status: number, response: string, durationMs: number): AttemptResult {
  return { ok: true, status, headers: {}, bodyExcerpt: printable(response), durationMs };
}

/** The cut may leave half of a surrogate pair, which the database does not take. */
function printable(words: string): string {
  return words
    .replace(/[^\P{C}\n]/gu, ' ')
    .slice(0, MAX_EXCERPT)
    .toWellFormed();
}

function failed(
  reason: MailFailure,
  durationMs: number,
  consequences: Pick<AttemptResult, 'isFinal' | 'isExempt' | 'retryAfterSeconds'>,
  detail = MAIL_FAILURES[reason],
): AttemptResult {
  return { ok: false, reason, durationMs, detail, ...consequences };
}

function readBody(body: string): FrozenMail | null {
  try {
    const read = JSON.parse(body) as unknown;
    return isJsonObject(read) && typeof read.subject === 'string'
      ? withResponseLink(read as unknown as FrozenMail)
      : null;
  } catch {
    return null;
  }
}
