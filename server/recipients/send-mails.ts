import type { Context } from '../context.ts';
import type { AttemptResult } from '../deliveries/attempt.ts';
import { isDelivered } from '../deliveries/attempt.ts';
import { sendMail } from '../deliveries/deliver-mail.ts';
import { secondsToNextHour } from '../mail/mail-limits.ts';
import { takeMailPlace } from '../mail/queries.ts';
import {
  claimDueMails,
  type DueMail,
  findMailedForm,
  formsWithDueMails,
  type MailedForm,
  noteMailFailed,
  noteMailSent,
  postponeMail,
} from './mail-queries.ts';
import { writeMail } from './write-mail.ts';

/** Mails to recipients per form and hour, including tries. */
export const RECIPIENT_MAILS_PER_HOUR = 1_000;

/** Mails of a form claimed and sent at the same time. */
const AT_ONCE = 4;
/** Waits before further tries of a mail, in seconds; then it is given up. */
const WAITS_SECONDS = [60, 300, 1_800, 7_200];
/** Limit of one run, less than the minute until the next. */
const MAX_RUN_MS = 50_000;
const MAX_PROBLEM = 500;

type Parts = Pick<Context, 'db' | 'mailer' | 'baseUrl' | 'config'>;

/** Processes that are sending mails now. */
const sending = new WeakSet<Parts>();

/**
 * The job: sends due mails, the forms in turns. One job per process does this, including mails queued meanwhile, so an
 * unresponsive mail server holds up no other jobs. A process that dies meanwhile leaves at most four mails to be sent
 * twice.
 */
export async function sendRecipientMails(parts: Parts, stopping: AbortSignal): Promise<void> {
  if (!parts.mailer.isConfigured || sending.has(parts)) return;
  sending.add(parts);
  try {
    await sendInTurns(parts, stopping);
  } finally {
    sending.delete(parts);
  }
}

async function sendInTurns(parts: Parts, stopping: AbortSignal): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  /** Forms that send nothing in this run. */
  const heldUp = new Set<number>();
  for (;;) {
    const due = await formsWithDueMails(parts.db);
    const waiting = due.filter((formId) => !heldUp.has(formId));
    if (waiting.length === 0) return;
    for (const formId of waiting) {
      if (stopping.aborted || performance.now() > end) return;
      if (!(await sendSome(parts, formId))) heldUp.add(formId);
    }
  }
}

/**
 * @returns false when none was sent: the form is not open yet, the mail server is away, or the hourly limit is reached;
 * the next run tries again
 */
async function sendSome(parts: Parts, formId: number): Promise<boolean> {
  const form = await findMailedForm(parts.db, formId);
  if (!form || form.waits) return false;
  const due = await claimDueMails(parts.db, formId, AT_ONCE);
  const outcomes = await Promise.all(due.map((mail) => sendOne(parts, formId, form, mail)));
  return outcomes.includes(true);
}

/** @returns whether it was sent or given up */
async function sendOne(parts: Parts, formId: number, form: MailedForm, due: DueMail): Promise<boolean> {
  const { db } = parts;
  const text = form.settings[due.kind];
  if (!form.isOpen || text === null) {
    await noteMailFailed(db, due, 'The form took no answers when the mail was due.');
    return true;
  }
  if (!(await takePlace(parts, formId))) {
    await postponeMail(db, due.id, secondsToNextHour(), false);
    return false;
  }
  const result = await sendMail(parts, writeMail(parts, form, text, due), false);
  const wait = WAITS_SECONDS[due.tries];
  if (isDelivered(result)) await noteMailSent(db, due);
  else if (!result.isFinal && wait !== undefined) await postponeMail(db, due.id, wait, true);
  else await noteMailFailed(db, due, problemOf(result));
  return isDelivered(result) || result.isFinal === true;
}

function takePlace({ db }: Parts, formId: number): Promise<boolean> {
  return takeMailPlace(db, formId, {
    counted: 'recipients',
    period: 'hour',
    limit: RECIPIENT_MAILS_PER_HOUR,
  });
}

/** The server's own words, if it said anything about this mail. */
function problemOf(result: AttemptResult): string {
  if (!result.ok) return result.detail;
  return `The mail server said: ${result.bodyExcerpt.replace(/\p{C}/gu, ' ').slice(0, MAX_PROBLEM).toWellFormed()}`;
}
