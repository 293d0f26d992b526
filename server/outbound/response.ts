import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { explainError, OutboundError } from './failure.ts';

/** Bytes of a body that are read before the connection is given up. */
const MAX_BODY_BYTES = 64 * 1024;
/** Bytes of a body that are kept. */
const EXCERPT_BYTES = 2048;

/** Everything but what prints, the line feed and the tab. */
const UNPRINTABLE = /[^\P{C}\n\t]/gu;

export interface OutboundResponse {
  status: number;
  headers: Record<string, string>;
  bodyExcerpt: string;
}

/**
 * Dispatches a request and resolves with its response, or rejects with an OutboundError. One timer covers it all:
 * before the status it means failure; after it the status stands, with as much of the body as came. A body that drips,
 * floods or breaks off therefore never changes the outcome.
 */
export function readResponse(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<OutboundResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let isSettled = false;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    let bodyBytes = 0;
    const body: Buffer[] = [];

    const settle = (error?: OutboundError) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      if (status === 0) reject(error ?? new OutboundError('invalid_response'));
      else resolve({ status, headers: joinHeaders(headers), bodyExcerpt: excerpt(body, headers) });
    };
    const giveUp = (error: OutboundError) => {
      settle(error);
      controller?.abort(error);
    };
    const timer = setTimeout(() => giveUp(new OutboundError('timeout')), timeoutMs);

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        // The time ran out while the request waited for a connection: it must not be sent any more.
        if (isSettled) started.abort(new OutboundError('timeout'));
      },
      onResponseStart(_controller, statusCode, responseHeaders) {
        if (statusCode < 200) return;
        status = statusCode;
        headers = responseHeaders;
      },
      onResponseData(_controller, chunk) {
        if (bodyBytes < EXCERPT_BYTES) body.push(chunk);
        bodyBytes += chunk.length;
        if (bodyBytes > MAX_BODY_BYTES) giveUp(new OutboundError('invalid_response'));
      },
      onResponseEnd() {
        settle();
      },
      onResponseError(_controller, error) {
        settle(explainError(error));
      },
    };
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      settle(explainError(error));
    }
  });
}

function joinHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

function excerpt(body: Buffer[], headers: IncomingHttpHeaders): string {
  const isCompressed = (headers['content-encoding'] ?? 'identity') !== 'identity';
  if (isCompressed || body.length === 0) return '';
  const bytes = Buffer.concat(body).subarray(0, EXCERPT_BYTES);
  // `stream` leaves out a character the cut goes through.
  return new TextDecoder().decode(bytes, { stream: true }).replace(UNPRINTABLE, '\u{FFFD}');
}
