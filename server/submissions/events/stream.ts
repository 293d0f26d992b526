import { PassThrough } from 'node:stream';
import { readMoment } from '../../http/moments.ts';
import type { FormEvent } from './hub.ts';
import type { EventPosition } from './queries.ts';

/** Time without a word, after which proxies and browsers may think that nobody is there. Tests make it shorter. */
export const STREAM_TIMES = { heartbeatMs: 15_000, recheckMs: 30_000 };
/** Bytes that a slow reader may leave lying before the stream ends; it comes again by itself. */
const MAX_WAITING_BYTES = 256 * 1024;
/** When an EventSource comes again, milliseconds. */
const RETRY_MS = 2_000;
const LAST_EVENT_ID = /^(\d{1,15})\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)?(?:\/(\d{1,15}))?$/;

/** A stream of server-sent events (WHATWG HTML, 9.2). */
export interface EventStream {
  body: PassThrough;
  tell(event: FormEvent): void;
  end(): void;
}

/**
 * @param mayGoOn asked twice a minute: a stream lasts no longer than the right to it. What cannot be asked now is asked
 * again later; meanwhile there is no news either.
 * @param onEnd whatever ended it
 */
export function openEventStream(mayGoOn: () => Promise<boolean>, onEnd: () => void): EventStream {
  const body = new PassThrough();
  const heartbeat = setInterval(() => write(':\n\n'), STREAM_TIMES.heartbeatMs);
  const recheck = setInterval(async () => {
    if (!(await mayGoOn().catch(() => true))) end();
  }, STREAM_TIMES.recheckMs);
  body.once('close', () => {
    clearInterval(heartbeat);
    clearInterval(recheck);
    onEnd();
  });
  body.on('error', () => {});

  function write(text: string): void {
    if (body.writableEnded || body.destroyed) return;
    if (body.writableLength + body.readableLength > MAX_WAITING_BYTES) body.destroy();
    else body.write(text);
  }

  function end(): void {
    body.end();
  }

  write(`retry: ${RETRY_MS}\n\n`);
  return {
    body,
    tell: ({ name, position, data }) =>
      write(`id: ${writePosition(position)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`),
    end,
  };
}

function writePosition({ lastId, changedAt, lastReview }: EventPosition): string {
  return `${lastId}/${changedAt}/${lastReview}`;
}

/** The position in a `Last-Event-ID`; null for none, or one that is none of ours. */
export function readPosition(header: string | string[] | undefined): EventPosition | null {
  const [, lastId, changedAt = '', lastReview = '0'] = LAST_EVENT_ID.exec(String(header ?? '')) ?? [];
  if (lastId === undefined || (changedAt !== '' && !readMoment(changedAt))) return null;
  return { lastId: Number(lastId), changedAt, lastReview: Number(lastReview) };
}
