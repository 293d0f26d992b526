import { randomUUID } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { TEXT_FIELD_ID } from '../setup/factories.ts';

/** The answer a client got for one Idempotency-Key. */
export interface Acknowledged {
  submissionId: string;
  text: string;
  /** By `performance.now()`. */
  at: number;
  /** Milliseconds since the first try. */
  ms: number;
}

/** Clients that submit known answers under known keys, try again when refused, and remember the answers. */
export interface Load {
  /** Everything ever sent, by key. */
  sent: Map<string, string>;
  acknowledged: Map<string, Acknowledged>;
  /** The count of each status; `none` means that no answer came. */
  statuses: Map<number | 'none', number>;
  /** Answers that must not occur: other statuses than 200 and 503, a 503 without Retry-After, one that took too long. */
  oddities: string[];
  /** The duration of the slowest answer, in milliseconds. */
  longestMs(): number;
  /** Milliseconds from that moment (`performance.now()`) to the first acknowledgement of a submission begun after it. */
  recoveredAfter(moment: number): number;
  /** Stops sending; submissions not yet acknowledged stay in doubt. */
  stop(): Promise<void>;
}

interface LoadOptions {
  /** Called before each request. */
  url: () => string;
  slug: string;
  writers?: number;
  /** Pause between two submissions of one writer. */
  pauseMs?: number;
  /** The time limit of one answer. */
  longestMs?: number;
}

const RETRY_PAUSE_MS = 50;
const CLIENT_TIMEOUT_MS = 20_000;

export interface Told {
  status: number | 'none';
  body: any;
  retryAfter: string | undefined;
  replayed: boolean;
}

export function startLoad({ url, slug, writers = 8, pauseMs = 2, longestMs = 8_000 }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true });
  const begun: { at: number; until: number }[] = [];
  let isOver = false;
  let longest = 0;
  const load: Load = {
    sent: new Map(),
    acknowledged: new Map(),
    statuses: new Map(),
    oddities: [],
    longestMs: () => longest,
    recoveredAfter(moment) {
      const later = begun.filter(({ at }) => at >= moment).map(({ until }) => until - moment);
      return Math.round(Math.min(...later));
    },
    async stop() {
      isOver = true;
      await Promise.all(running);
      agent.destroy();
    },
  };

  async function write(writer: number): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const key = randomUUID();
      const text = `${writer}-${n} ünï "${key.slice(0, 8)}"\n=1`;
      load.sent.set(key, text);
      const startedAt = performance.now();
      while (!(await isAcknowledged(key, text, startedAt)) && !isOver) await pause(RETRY_PAUSE_MS);
      await pause(pauseMs);
    }
  }

  async function isAcknowledged(key: string, text: string, startedAt: number): Promise<boolean> {
    const at = performance.now();
    const told = await submit(url(), slug, text, key, agent);
    const until = performance.now();
    longest = Math.max(longest, until - at);
    load.statuses.set(told.status, (load.statuses.get(told.status) ?? 0) + 1);
    note(told, until - at);
    if (told.status !== 200) return false;
    begun.push({ at, until });
    load.acknowledged.set(key, {
      submissionId: told.body.submission_id,
      text,
      at: until,
      ms: until - startedAt,
    });
    return true;
  }

  function note({ status, body, retryAfter }: Told, ms: number): void {
    if (status === 'none') return;
    const isKnown = status === 200 || (status === 503 && Number(retryAfter) > 0);
    if (!isKnown || typeof body?.message !== 'string')
      load.oddities.push(`${status} ${JSON.stringify(body)} retry-after ${retryAfter}`);
    if (ms > longestMs) load.oddities.push(`${status} after ${Math.round(ms)} ms`);
  }

  const running = Array.from({ length: writers }, (_, writer) => write(writer));
  return load;
}

/** Sends one submission; never rejects. */
export function submit(url: string, slug: string, text: string, key: string, agent?: Agent): Promise<Told> {
  const nothing: Told = { status: 'none', body: undefined, retryAfter: undefined, replayed: false };
  return new Promise((resolve) => {
    if (!URL.canParse(url)) return resolve(nothing);
    const payload = JSON.stringify({ [TEXT_FIELD_ID]: text });
    const request = httpRequest(`${url}/forms/${slug}/answer`, {
      method: 'POST',
      ...(agent && { agent }),
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(payload),
        'idempotency-key': key,
      },
      timeout: CLIENT_TIMEOUT_MS,
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(nothing));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', () => resolve(nothing));
      response.on('aborted', () => resolve(nothing));
      response.on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({
          status: statusCode,
          body: parsed(Buffer.concat(chunks).toString('utf8')),
          retryAfter: headers['retry-after'],
          replayed: headers['idempotent-replayed'] === 'true',
        });
      });
    });
    request.end(payload);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
