import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { explainError, OutboundError, type OutboundFailure } from './failure.ts';

/** Bytes of a body after which reading stops and the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024;
/** Bytes of a body that are kept by default. */
const EXCERPT_BYTES = 2048;

/** Control, format and unassigned characters, except line feed and tab. */
const UNPRINTABLE = /[^\P{C}\n\t]/gu;

export type OutboundResult =
  | {
      ok: true;
      status: number;
      /** Names in lower case; repeated headers are joined with a comma. */
      headers: Record<string, string>;
      /** The first bytes, 2 KiB by default, as printable text; empty when the body is compressed. */
      bodyExcerpt: string;
      durationMs: number;
    }
  | { ok: false; reason: OutboundFailure; durationMs: number; detail: string };

export interface Limits {
  /** Milliseconds for the whole exchange. */
  timeoutMs: number;
  /** Bytes of the body that are kept. */
  keptBytes?: number;
}

/** Dispatches a request and resolves with its result. Never rejects. */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  limits: Limits,
): Promise<OutboundResult> {
  return new Promise((resolve) => {
    const handler = new Exchange(resolve, limits);
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      handler.onResponseError(null, error);
    }
  });
}

/**
 * One timer covers the whole exchange. If no status has come by then, the request has failed; otherwise the status counts, with as
 * much of the body as has come. So a body that drips, floods or breaks off never changes the outcome.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: OutboundResult) => void;
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #keptBytes: number;
  #controller: Dispatcher.DispatchController | null = null;
  #isSettled = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #bodyBytes = 0;
  readonly #body: Buffer[] = [];

  constructor(resolve: (result: OutboundResult) => void, { timeoutMs, keptBytes = EXCERPT_BYTES }: Limits) {
    this.#resolve = resolve;
    this.#keptBytes = keptBytes;
    this.#timer = setTimeout(() => this.#giveUp(new OutboundError('timeout')), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // If the time ran out while the request waited for a connection, it must not be sent any more.
    if (this.#isSettled) controller.abort(new OutboundError('timeout'));
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#bodyBytes < this.#keptBytes) this.#body.push(chunk);
    this.#bodyBytes += chunk.length;
    if (this.#bodyBytes > MAX_BODY_BYTES) this.#giveUp(new OutboundError('invalid_response'));
  }

  onResponseEnd(): void {
    this.#settle();
  }

  onResponseError(_controller: unknown, error: unknown): void {
    this.#settle(explainError(error));
  }

  #giveUp(error: OutboundError): void {
    this.#settle(error);
    this.#controller?.abort(error);
  }

  #settle(error?: OutboundError): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#timer);
    const durationMs = Math.round(performance.now() - this.#startedAt);
    if (this.#status === 0) {
      const { reason, detail } = error ?? new OutboundError('invalid_response');
      this.#resolve({ ok: false, reason, durationMs, detail });
      return;
    }
    const [headers, bodyExcerpt] = [
      joinHeaders(this.#headers),
      excerpt(this.#body, this.#headers, this.#keptBytes),
    ];
    this.#resolve({ ok: true, status: this.#status, headers, bodyExcerpt, durationMs });
  }
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    joined[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return joined;
}

function excerpt(body: Buffer[], headers: IncomingHttpHeaders, keptBytes: number): string {
  const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isCompressed || body.length === 0) return '';
  const bytes = Buffer.concat(body).subarray(0, keptBytes);
  // With `stream` a character that the cut goes through is left out.
  return new TextDecoder().decode(bytes, { stream: true }).replace(UNPRINTABLE, '\u{FFFD}');
}
