export interface Mail {
  /** One address, or several that see each other. */
  to: string | readonly string[];
  subject: string;
  /** Plain text. */
  text: string;
  /** The same as a page, for programs that show such. */
  html?: string;
  /** An address. */
  replyTo?: string;
  /** The same at every try of one mail, so that programs can recognise a repetition (RFC 5322 section 3.6.4). */
  id?: string;
  /** Written because of something somebody sent: no program should answer (RFC 3834 section 5). */
  isAutomatic?: 'generated' | 'replied';
  /** Where its recipient wants no more of them with one press (RFC 2369 section 3.2, RFC 8058). */
  unsubscribe?: string;
}

/** What the server said of a mail it took for one recipient at least. */
export interface MailReceipt {
  response: string;
  /** Recipients it refused. */
  rejected: string[];
}

export interface Mailer {
  /** False without SMTP_URL: links are then shown to the people who would have sent them, mails of forms wait. */
  isConfigured: boolean;
  /** @throws Error when the server refuses, MailTimeout when it takes too long; jobs repeat it. */
  send(mail: Mail): Promise<MailReceipt>;
  close(): void;
}

/** The server did not take a mail in time. */
export class MailTimeout extends Error {
  constructor() {
    super('The mail server did not take the mail in time.');
  }
}

/** For each sign of life. */
const SMTP_TIMEOUT_MS = 20_000;
/** For a whole mail, whatever signs of life there are: less than the lease of a delivery, and than a stop may take. */
const SEND_TIMEOUT_MS = 20_000;

/** Mail through the operator's SMTP server, or a mailer that says it has none. */
export async function openMailer(
  smtpUrl: string | null,
  from: string | null,
  baseUrl: () => string,
): Promise<Mailer> {
  if (smtpUrl === null) {
    return { isConfigured: false, send: () => Promise.reject(new Error('SMTP_URL is not set.')), close() {} };
  }
  // 5 MB that whoever sends no mail does not need.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
    // A text is a text, whatever it looks like.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isConfigured: true,
    async send({ to, subject, text, html, replyTo, id, isAutomatic, unsubscribe }) {
      const { hostname } = new URL(baseUrl());
      const signal = AbortSignal.timeout(SEND_TIMEOUT_MS);
      const mail = {
        from: from ?? `Formstead <formstead@${hostname}>`,
        // As objects, so that nothing in an address is read as another address.
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
    },
    close: () => transport.close(),
  };
}
