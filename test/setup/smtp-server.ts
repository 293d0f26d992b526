import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface SmtpServer {
  url: string;
  mails: ReceivedMail[];
  /** What is said to a recipient instead of 250, such as `550 nobody here`. */
  refusals: Map<string, string>;
  close(): Promise<void>;
}

export interface ReceivedMail {
  recipients: string[];
  /** Headers and body, quoted-printable undone. */
  text: string;
}

/** A mail server on this machine that takes every mail but for its refusals (as little of RFC 5321 as a client needs). */
export async function startSmtpServer(): Promise<SmtpServer> {
  const mails: ReceivedMail[] = [];
  const refusals = new Map<string, string>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    receive(socket, mails, refusals).catch(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    refusals,
    async close() {
      server.close();
    },
  };
}

async function receive(
  socket: Socket,
  mails: ReceivedMail[],
  refusals: ReadonlyMap<string, string>,
): Promise<void> {
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
      say('250 taken');
    } else {
      data.push(line);
    }
  }
}

/** RFC 2045, 6.7. */
function decode(quotedPrintable: string): string {
  return quotedPrintable
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
