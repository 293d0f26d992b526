import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { type Check, ok, REQUEST_LIMIT_MS, type Verdict, warn } from './finding.ts';

export function mailChecks({ smtpUrl, mailFrom }: Config): Check[] {
  if (smtpUrl === null) {
    const none = warn(
      'SMTP_URL is not set: links of invitations are shown to the admins instead',
      'Set SMTP_URL, such as smtp://user:password@mail.example.org:587.',
    );
    return [{ name: 'mail', mend: 'Set SMTP_URL.', examine: () => none }];
  }
  return [
    {
      name: 'mail',
      mend: 'Check host, port, user and password of SMTP_URL; smtps: is for port 465.',
      examine: () => signIn(smtpUrl),
    },
    { name: 'MAIL_FROM', mend: 'Set MAIL_FROM.', examine: () => sender(mailFrom) },
  ];
}

/** Connects, and signs in where the URL has a user; sends nothing. */
async function signIn(smtpUrl: string): Promise<Verdict> {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: REQUEST_LIMIT_MS,
    greetingTimeout: REQUEST_LIMIT_MS,
    socketTimeout: REQUEST_LIMIT_MS,
    dnsTimeout: REQUEST_LIMIT_MS,
  });
  try {
    await transport.verify();
    return ok(`${new URL(smtpUrl).host} takes mail`);
  } finally {
    transport.close();
  }
}

function sender(mailFrom: string | null): Verdict {
  if (mailFrom !== null) return ok(mailFrom);
  return warn(
    'not set: mail comes from formstead@ the host of BASE_URL',
    'Set MAIL_FROM to an address the mail server may send from, such as Forms <forms@example.org>.',
  );
}
