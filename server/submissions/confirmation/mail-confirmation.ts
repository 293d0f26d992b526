import { createHash } from 'node:crypto';
import { html } from '../../../fields/html/html.ts';
import { languageFor } from '../../../fields/languages/languages.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import { fillIn } from '../../../fields/texts/template.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { isDelivered } from '../../deliveries/attempt.ts';
import { sendMail } from '../../deliveries/deliver-mail.ts';
import { linkSource } from '../../files/file-links.ts';
import { enqueue } from '../../jobs/enqueue.ts';
import type { JobPayloads } from '../../jobs/payloads.ts';
import { secondsToNextHour } from '../../mail/mail-limits.ts';
import { mailPage } from '../../mail/mail-page.ts';
import { mailInTurn } from '../../mail/mail-turns.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import { oneLine } from '../../mail/mentioned-answers.ts';
import { findMailServerOfForm, takeMailPlace } from '../../mail/queries.ts';
import { type PublishedForm, preparePublishedForm } from '../published-form/published-form.ts';
import { findOwnForm, findSentForm } from '../published-form/queries.ts';
import { confirmationLink, confirmationToken } from './confirmation-link.ts';
import { findWaiting } from './queries.ts';

/** Mails per form and hour that ask to confirm an address, including tries; what comes beyond that goes out later. */
export const CONFIRMATION_MAILS_PER_HOUR = 1_000;
/** Takes about a day. */
const MAX_ATTEMPTS = 12;
/** Pause while there is no mail server at all, or the form is a draft or in the trash. */
const PAUSE_SECONDS = 600;
/** Characters (code points). */
const MAX_SUBJECT = 255;

type Payload = JobPayloads['mail_confirmation'];

/** Queues the mail with the link. */
export function scheduleConfirmation(
  db: Db,
  { id, uuid }: Pick<PublishedForm, 'id' | 'uuid'>,
  { publicId, language }: { publicId: string; language: string },
): Promise<void> {
  return put(db, { formId: id, form: uuid, publicId, language, mark: Date.now().toString(36) }, 0);
}

function put(db: Db, payload: Payload, delaySeconds: number): Promise<void> {
  return enqueue(db, 'mail_confirmation', payload, {
    key: `confirmation:${payload.form}:${payload.publicId}`,
    maxAttempts: MAX_ATTEMPTS,
    delaySeconds,
  });
}

/** The job. @throws Error when the mail server could not be used, or put the mail off */
export async function mailConfirmation(context: Context, payload: Payload): Promise<void> {
  const { db } = context;
  // Not from the cache: the mail may wait for hours, and the form have another title and address then.
  const row = await (payload.formId === undefined
    ? findSentForm(db, payload.form)
    : findOwnForm(db, payload.formId));
  const waiting = row && (await findWaiting(db, row.id, payload.publicId));
  if (!waiting) return;
  // Its link would lead nowhere.
  if (row.visibility === 'draft') return put(db, payload, PAUSE_SECONDS);
  const form = preparePublishedForm(row, serverEngines, linkSource(context));
  const mailer = context.mailerOf(await findMailServerOfForm(db, form.id));
  if (!mailer.isConfigured) return put(db, payload, PAUSE_SECONDS);
  await mailInTurn(context, `confirmations ${mailer.workspaceId}`, {
    send: () => send(context, mailer, form, { address: waiting.address, payload }),
    later: (seconds) => put(db, payload, seconds),
  });
}

async function send(
  context: Context,
  mailer: Mailer,
  form: PublishedForm,
  { address, payload }: { address: string; payload: Payload },
): Promise<void> {
  const { db, log } = context;
  const counted = { counted: 'unconfirmed', period: 'hour', limit: CONFIRMATION_MAILS_PER_HOUR } as const;
  if (!(await takeMailPlace(db, form.id, counted))) return put(db, payload, secondsToNextHour());
  const mail = writeMail(context, form.inLanguage(payload.language), address, payload);
  const result = await sendMail(mailer, log, mail, true);
  // An address that does not exist is its sender's mistake: they are shown it, and can send the form again.
  if (isDelivered(result) || result.isFinal) return;
  throw new Error('The mail server did not take a mail that asks to confirm an address.');
}

/** Names the form and nothing that its sender wrote, so that nobody can send texts of their own to others by it. */
function writeMail(
  context: Context,
  form: PublishedForm,
  address: string,
  { publicId, mark }: Payload,
): Mail {
  const { language } = form.presentation;
  const { page: texts, code } = languageFor(language);
  const token = confirmationToken(context.secrets, { formId: form.id, publicId, address });
  const link = confirmationLink(context, form, {
    token,
    language: form.languages.length > 1 ? language : null,
  });
  const asks = fillIn(texts.confirmMail, { title: form.title }, code);
  const ends = texts.confirmMailIgnore;
  return {
    to: address,
    subject: oneLine(`${texts.confirmTitle}: ${form.title}`, MAX_SUBJECT),
    text: `${asks}\n\n${link}\n\n${ends}\n`,
    html: mailPage(
      { title: form.title, language },
      html`<p style="margin:0 0 16px" dir="auto">${asks}</p>
<p style="margin:0 0 16px"><a href="${link}">${link}</a></p>
<p style="margin:0" dir="auto">${ends}</p>`,
    ).markup,
    id: `confirmation-${createHash('sha256').update(`${token} ${mark}`).digest('hex').slice(0, 24)}`,
    isAutomatic: 'replied',
  };
}
