import type { SMTPSentMessageInfo, Transporter } from 'nodemailer';

export interface Mail {
  /** One address, or several, which see each other. */
  to: string | readonly string[];
  subject: string;
  /** Plain text. */
  text: string;
  /** The same as HTML. */
  html?: string;
  /** Address for replies. */
  replyTo?: string;
  /** Message-ID, the same for every try of one mail, so that programs recognise a repetition (RFC 5322 section 3.6.4). */
  id?: string;
  /** Marks an automatic mail, which no program should answer (RFC 3834 section 5). */
  isAutomatic?: 'generated' | 'replied';
  /** Address that unsubscribes the recipient with one click (RFC 2369 section 3.2, RFC 8058). */
  unsubscribe?: string;
}

/** The server's reply to a mail that it took for at least one recipient. */
interface MailReceipt {
  response: string;
  /** Recipients that it refused. */
  rejected: string[];
}

/** Sends through one mail server: the installation's, or that of a workspace. */
export interface Mailer {
  /** Whose server it is; null = the installation's. */
  workspaceId: number | null;
  /**
   * False without SMTP_URL: invite links are then shown to the people who would have mailed them, and mails of forms
   * wait, unless their workspace has a server of its own.
   */
  isConfigured: boolean;
  /** @throws Error when the server refuses, MailTimeout when it takes too long; jobs try again */
  send(mail: Mail): Promise<MailReceipt>;
  close(): void;
}

/** Who a mail is from. */
interface Sender {
  name: string;
  address: string;
}

/** The server did not take a mail in time. */
export class MailTimeout extends Error {
  constructor() {
    super('The mail server did not take the mail in time.');
  }
}

/** Commands (RFC 5321) whose replies are about one mail; replies to others are about the connection or sign-in. */
const ABOUT_THE_MAIL = /^(?:RCPT|DATA)/;

/** What a server said of a mail it refused. */
interface Refusal {
  responseCode: number;
  response: string;
  /** A permanent refusal: 5yz (RFC 5321 section 4.2.1). */
  isFinal: boolean;
}

/** What the server said of this mail, in an error of `Mailer.send`; null when the server could not be used. */
export function refusalIn(error: unknown): Refusal | null {
  const {
    command = '',
    responseCode,
    response = '',
  } = error as {
    command?: string;
    responseCode?: number;
    response?: string;
  };
  if (responseCode === undefined || !ABOUT_THE_MAIL.test(command)) return null;
  return { responseCode, response, isFinal: responseCode >= 500 };
}

/** Between two signs of life from the server. */
const SMTP_TIMEOUT_MS = 20_000;
/** For a whole mail, despite signs of life: shorter than the lease of a delivery, and than a stop may take. */
const SEND_TIMEOUT_MS = 20_000;

/** What connections to all mail servers have in common. */
export const TRANSPORT_OPTIONS = {
  connectionTimeout: SMTP_TIMEOUT_MS,
  greetingTimeout: SMTP_TIMEOUT_MS,
  socketTimeout: SMTP_TIMEOUT_MS,
  // A text that looks like a path or address is still a text.
  disableFileAccess: true,
  disableUrlAccess: true,
};

/** Opens mail through the operator's SMTP server, or a mailer that reports it has none. */
export async function openMailer(
  smtpUrl: string | null,
  from: string | null,
  baseUrl: () => string,
): Promise<Mailer> {
  if (smtpUrl === null) {
    const send = () => Promise.reject(new Error('SMTP_URL is not set.'));
    return { workspaceId: null, isConfigured: false, send, close() {} };
  }
  // Takes 5 MB, which installations without mail do not need.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({ url: smtpUrl, ...TRANSPORT_OPTIONS });
  return {
    workspaceId: null,
    isConfigured: true,
    send(mail) {
      const { hostname } = new URL(baseUrl());
      return sendOver(transport, senderOf(from ?? `Formstead <formstead@${hostname}>`), hostname, mail);
    },
    close: () => transport.close(),
  };
}

/** Sends one mail. @param hostname of this service @throws as `Mailer.send` */
export async function sendOver(
  transport: Transporter<SMTPSentMessageInfo>,
  from: Sender,
  hostname: string,
  { to, subject, text, html, replyTo, id, isAutomatic, unsubscribe }: Mail,
): Promise<MailReceipt> {
  const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
  const mail = {
    // As objects, so that no address can contain another one, and no name is read as part of a list.
    from,
    to: [to].flat().map((address) => ({ name: '', address })),
    subject,
    text,
    ...(html !== undefined && { html }),
    ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
    ...(id !== undefined && { messageId: `<${id}@${hostname}>` }),
    signal,
    headers: {
      ...(isAutomatic && { 'Auto-Submitted': `auto-${isAutomatic}` }),
      ...(unsubscribe !== undefined && {
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
  try {
    const { response, rejected } = await transport.sendMail(mail);
    return { response, rejected: rejected.map(String) };
  } catch (error) {
    throw signal.aborted ? new MailTimeout() : error;
  }
}

/** `Forms <forms@example.org>`, the name perhaps in quotes, or an address alone. */
function senderOf(from: string): Sender {
  const [, name = '', address = from] = /^"?([^"]*?)"? *<([^<>]*)>$/.exec(from) ?? [];
  return { name, address };
}
