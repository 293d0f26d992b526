import { PassThrough } from 'node:stream';
import { readMoment } from '../../http/schemas/moments.ts';
import type { FormEvent } from './hub.ts';
import type { EventPosition } from './queries.ts';

/** Heartbeats keep proxies and browsers from taking a silent stream for dead. Tests shorten both times. */
export const STREAM_TIMES = { heartbeatMs: 15_000, recheckMs: 30_000 };
/** Unread bytes at which the stream of a slow reader is ended; its client reconnects by itself. */
const MAX_WAITING_BYTES = 256 * 1024;
/** An EventSource reconnects after this time. */
const RETRY_MS = 2_000;
const LAST_EVENT_ID = /^(\d{1,15})\/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)?(?:\/(\d{1,15}))?$/;

/** A stream of server-sent events (WHATWG HTML, 9.2). */
export interface EventStream {
  body: PassThrough;
  tell(event: FormEvent): void;
  end(): void;
}

/**
 * @param mayGoOn whether the right to the stream still holds; asked twice a minute, and the stream ends when it does not. If it
 * fails the stream goes on: while the database cannot be asked there is no news either.
 * @param onEnd called however the stream ends
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

/** The position in a `Last-Event-ID`; null when the header is absent or not written by `writePosition`. */
export function readPosition(header: string | string[] | undefined): EventPosition | null {
  const [, lastId, changedAt = '', lastReview = '0'] = LAST_EVENT_ID.exec(String(header ?? '')) ?? [];
  if (lastId === undefined || (changedAt !== '' && !readMoment(changedAt))) return null;
  return { lastId: Number(lastId), changedAt, lastReview: Number(lastReview) };
}
