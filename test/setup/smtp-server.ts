import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll } from 'vitest';

export interface SmtpServer {
  url: string;
  mails: ReceivedMail[];
  /** The answer for a recipient in place of 250, such as `550 nobody here`. */
  refusals: Map<string, string>;
  /** Runs after a mail has arrived and before the server confirms it, or answers the text that this returns. */
  meanwhile: (() => Promise<unknown>) | null;
}

export interface ReceivedMail {
  recipients: string[];
  /** Headers and body, decoded from quoted-printable. */
  text: string;
}

/**
 * A local mail server that accepts all mail except for its refusals (as little of RFC 5321 as a client needs). Starts before the
 * tests of the file (or of the `describe`) and stops after them.
 */
export function useSmtpServer(): SmtpServer {
  const smtp: SmtpServer = { url: '', mails: [], refusals: new Map(), meanwhile: null };
  const server = createServer((socket) => {
    socket.on('error', () => {});
    receive(socket, smtp).catch(() => socket.destroy());
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    smtp.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());
  return smtp;
}

async function receive(socket: Socket, smtp: SmtpServer): Promise<void> {
  const { mails, refusals } = smtp;
  const say = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let data: string[] | null = null;
  say('220 test');
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (data === null) {
      const [, recipient] = /^RCPT TO:<(.*)>/i.exec(line) ?? [];
      const refusal = refusals.get(recipient ?? '');
      if (refusal !== undefined) {
        say(refusal);
        continue;
      }
      if (recipient !== undefined) recipients.push(recipient);
      if (/^DATA/i.test(line)) data = [];
      if (/^QUIT/i.test(line)) return void socket.end('221 bye\r\n');
      say(data === null ? '250 ok' : '354 go on');
    } else if (line === '.') {
      mails.push({ recipients, text: decode(data.join('\n')) });
      [recipients, data] = [[], null];
      const answer = await smtp.meanwhile?.();
      say(typeof answer === 'string' ? answer : '250 taken');
    } else {
      // RFC 5321, 4.5.2: a line that begins with a dot is sent with one more dot, which is removed here.
      data.push(line.replace(/^\./, ''));
    }
  }
}

/** Unfolds the headers to one line each (RFC 5322, 2.2.3) and decodes the quoted-printable body (RFC 2045, 6.7). */
function decode(mail: string): string {
  const end = mail.indexOf('\n\n');
  const body = mail
    .slice(end)
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return mail.slice(0, end).replace(/\n(?=[ \t])/g, '') + body;
}
