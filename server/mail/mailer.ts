import { createTransport } from 'nodemailer';

export interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /** False without SMTP_URL: links are then shown to the people who would have sent them. */
  isConfigured: boolean;
  /** @throws Error when the server refuses; jobs repeat it. */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const SMTP_TIMEOUT_MS = 20_000;

/** Mail through the operator's SMTP server, or a mailer that says it has none. */
export function openMailer(smtpUrl: string | null, from: string | null, baseUrl: () => string): Mailer {
  if (smtpUrl === null) {
    return { isConfigured: false, send: () => Promise.reject(new Error('SMTP_URL is not set.')), close() {} };
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SMTP_TIMEOUT_MS,
    greetingTimeout: SMTP_TIMEOUT_MS,
    socketTimeout: SMTP_TIMEOUT_MS,
  });
  return {
    isConfigured: true,
    async send(mail) {
      await transport.sendMail({
        from: from ?? `Formstead <formstead@${new URL(baseUrl()).hostname}>`,
        ...mail,
      });
    },
    close: () => transport.close(),
  };
}
