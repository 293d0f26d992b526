import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface SmtpServer {
  url: string;
  /** Since the beginning of the test. */
  mails: ReceivedMail[];
  /** How the last client introduced itself. */
  client: string;
  /** The answer for a recipient in place of 250, such as `550 nobody here`. */
  refusals: Map<string, string>;
  /** Runs after a mail has arrived and before the server confirms it, or answers the text that this returns. */
  meanwhile: (() => Promise<unknown>) | null;
  /** Connections that it takes at a time; how many it has refused beyond them. */
  maxConnections: number;
  refusedConnections: number;
}

interface SmtpOptions {
  /** Encrypted from the start, with this certificate. */
  tls?: { key: string; cert: string };
  /** Takes mail only after this sign-in. */
  login?: { user: string; password: string };
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
export function useSmtpServer({ tls, login }: SmtpOptions = {}): SmtpServer {
  const smtp: SmtpServer = {
    url: '',
    mails: [],
    client: '',
    refusals: new Map(),
    meanwhile: null,
    maxConnections: Number.POSITIVE_INFINITY,
    refusedConnections: 0,
  };
  const open = new Set<Socket>();
  const onConnection = (socket: Socket) => {
    socket.on('error', () => {});
    if (open.size >= smtp.maxConnections) {
      smtp.refusedConnections++;
      socket.end('421 too many connections\r\n');
      return;
    }
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    receive(socket, smtp, login).catch(() => socket.destroy());
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    smtp.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => void smtp.mails.splice(0));
  afterAll(() => void server.close());
  return smtp;
}

async function receive(socket: Socket, smtp: SmtpServer, login: SmtpOptions['login']): Promise<void> {
  const { mails, refusals } = smtp;
  const say = (line: string) => socket.write(`${line}\r\n`);
  let recipients: string[] = [];
  let data = null as string[] | null;
  let isSignedIn = false;
  say('220 test');
  for await (const line of createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (data === null && /^QUIT/i.test(line)) return void socket.end('221 bye\r\n');
    if (data === null) say(obey(line));
    else if (line === '.') say(await take(data));
    // RFC 5321, 4.5.2: a line that begins with a dot is sent with one more dot, which is removed here.
    else data.push(line.replace(/^\./, ''));
  }

  function obey(command: string): string {
    const [, recipient] = /^RCPT TO:<(.*)>/i.exec(command) ?? [];
    const [, client] = /^EHLO (.*)/i.exec(command) ?? [];
    if (client !== undefined) smtp.client = client;
    const toStranger = login && !isSignedIn ? answerToStranger(command, login) : null;
    if (toStranger !== null) {
      isSignedIn = toStranger.startsWith('235');
      return toStranger;
    }
    const refusal = refusals.get(recipient ?? '');
    if (refusal !== undefined) return refusal;
    if (recipient !== undefined) recipients.push(recipient);
    if (!/^DATA/i.test(command)) return '250 ok';
    data = [];
    return '354 go on';
  }

  async function take(lines: string[]): Promise<string> {
    mails.push({ recipients, text: decode(lines.join('\n')) });
    [recipients, data] = [[], null];
    const answer = await smtp.meanwhile?.();
    return typeof answer === 'string' ? answer : '250 taken';
  }
}

/** To the sign-in (RFC 4954), and to commands before it; null for those that anybody may give. */
function answerToStranger(
  line: string,
  { user, password }: NonNullable<SmtpOptions['login']>,
): string | null {
  if (/^EHLO/i.test(line)) return '250 AUTH PLAIN';
  if (/^MAIL/i.test(line)) return '530 5.7.0 sign in first';
  const [, sent] = /^AUTH PLAIN (.*)/i.exec(line) ?? [];
  if (sent === undefined) return null;
  const plain = Buffer.from(sent, 'base64').toString();
  if (plain === `\0${user}\0${password}`) return '235 welcome';
  // Like a server that tells too much.
  return `535 5.7.8 unknown: ${plain.split('\0').join(' ')} ${sent}`;
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
