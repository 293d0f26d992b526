import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { TEXT_FIELD_ID } from '../setup/factories.ts';

/** All requests with one `webhook-id`. */
interface Recorded {
  text: string;
  bodyHash: string;
  submissionId: number;
  times: number;
  /** By `performance.now()`. */
  firstAt: number;
}

/** Handles a request by hand; it may leave it unanswered. */
type Behaviour = (response: ServerResponse, recorded: Recorded, request: IncomingMessage) => void;

/** A receiver that records every delivery and checks its signature and its bytes. */
export interface Recorder {
  url: string;
  byId: Map<string, Recorded>;
  /** Signatures that do not verify, and bodies that changed between two attempts. */
  faults: string[];
  /** The total number of requests. */
  count(): number;
  /** Behaviour from now on; before that, every answer is 200. */
  behave(behaviour: Behaviour): void;
  /** The valid secrets; a delivery must match one of them. */
  secrets: string[];
  close(): Promise<void>;
}

export async function startRecorder(...secrets: string[]): Promise<Recorder> {
  let behaviour: Behaviour = (response) => response.end();
  let count = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => {});
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      count += 1;
      behaviour(response, record(request, Buffer.concat(chunks)), request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const recorder: Recorder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    byId: new Map(),
    faults: [],
    secrets,
    count: () => count,
    behave(next) {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  function record({ headers }: IncomingMessage, body: Buffer): Recorded {
    const id = String(headers['webhook-id']);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    if (recorder.secrets.length > 0 && !recorder.secrets.some((secret) => verifies(secret, headers, body)))
      recorder.faults.push(`${id}: no signature that verifies`);
    const known = recorder.byId.get(id);
    if (known) {
      known.times += 1;
      if (known.bodyHash !== bodyHash) recorder.faults.push(`${id}: other bytes than before`);
      return known;
    }
    const parsed = JSON.parse(body.toString('utf8'));
    const first: Recorded = {
      text: parsed.data[TEXT_FIELD_ID]?.value ?? '',
      submissionId: parsed.submission_id,
      bodyHash,
      times: 1,
      firstAt: performance.now(),
    };
    recorder.byId.set(id, first);
    return first;
  }

  return recorder;
}

/** Checks both signatures, each by an implementation other than ours. */
function verifies(secret: string, headers: IncomingMessage['headers'], body: Buffer): boolean {
  const plain = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  if (headers['x-webhook-signature'] !== plain) return false;
  try {
    new Webhook(Buffer.from(secret).toString('base64')).verify(
      body.toString('utf8'),
      headers as Record<string, string>,
    );
    return true;
  } catch {
    return false;
  }
}
