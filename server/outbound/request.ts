import type { Dispatcher } from 'undici';
import { Client, Pool } from 'undici';
import { createUnderWay } from '../under-way.ts';
import type { AllowedNetworks } from './address.ts';
import type { OutboundFailure } from './failure.ts';
import { OutboundError } from './failure.ts';
import type { ResolveHost } from './guarded-connector.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { resolveHost } from './resolve-host.ts';
import { readResponse } from './response.ts';

/** From the call to the status line. */
const REQUEST_TIMEOUT_MS = 15_000;
/** An idle connection is closed before common servers (5 s) close it under a request. */
const MAX_IDLE_MS = 4000;
const MAX_HEADER_BYTES = 16 * 1024;
/** Beyond these the least recently used pool is closed; requests to one pool beyond its connections wait. */
const MAX_POOLS = 500;
const MAX_CONNECTIONS_PER_POOL = 64;

export interface OutboundRequest {
  url: string;
  /** POST unless said otherwise. */
  method?: 'POST' | 'GET';
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Milliseconds for the whole exchange; 15 s unless said otherwise. Connecting takes 5 s of it at most. */
  timeoutMs?: number;
  /** Connections are kept open and reused only among requests of one key (an integration's id) and origin; none without. */
  poolKey?: string;
}

export type OutboundResult =
  | {
      ok: true;
      status: number;
      /** Names in lower case; repeated headers are joined with a comma. */
      headers: Record<string, string>;
      /** The first 2 KiB as printable text; empty when the body is compressed. */
      bodyExcerpt: string;
      durationMs: number;
    }
  | { ok: false; reason: OutboundFailure; durationMs: number; detail: string };

export interface Outbound {
  /** Sends one request, follows nothing, and never throws. `ok` means a status arrived, whichever it is. */
  request(request: OutboundRequest): Promise<OutboundResult>;
  /** Waits for the requests in flight and closes all connections. */
  close(): Promise<void>;
}

/**
 * The one way this product calls out. Only global unicast addresses and the operator's own networks are reached;
 * proxy variables are not read, redirects are not followed, bodies are not decompressed. `lookup` replaces DNS in tests.
 */
export function createOutbound(options: {
  allowedNetworks: AllowedNetworks;
  lookup?: ResolveHost;
}): Outbound {
  const clientOptions = {
    connect: createGuardedConnector(options.allowedNetworks, options.lookup ?? resolveHost),
    keepAliveTimeout: MAX_IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // The time limit is one timer over the whole exchange, see readResponse.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
  };
  const pools = new Map<string, Pool>();
  const inFlight = createUnderWay();
  let isClosed = false;

  /** A Map keeps the order of insertion: the pool used last is put last. */
  function poolFor(key: string, origin: string): Pool {
    const poolKey = `${origin} ${key}`;
    const pool =
      pools.get(poolKey) ?? new Pool(origin, { ...clientOptions, connections: MAX_CONNECTIONS_PER_POOL });
    pools.delete(poolKey);
    pools.set(poolKey, pool);
    const [oldest] = pools;
    if (pools.size > MAX_POOLS && oldest !== undefined) {
      pools.delete(oldest[0]);
      void oldest[1].close();
    }
    return pool;
  }

  /** On a connection of its own, which ends with the response. */
  async function readAlone(origin: string, dispatch: Dispatcher.DispatchOptions, timeoutMs: number) {
    const client = new Client(origin, { ...clientOptions, pipelining: 0 });
    try {
      return await readResponse(client, dispatch, timeoutMs);
    } finally {
      void client.destroy();
    }
  }

  async function send(request: OutboundRequest): Promise<OutboundResult> {
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const url = parseUrl(request.url);
      const dispatch: Dispatcher.DispatchOptions = {
        origin: url.origin,
        path: url.pathname + url.search,
        method: request.method ?? 'POST',
        headers: request.headers,
        body: request.body ?? null,
      };
      const timeoutMs = request.timeoutMs ?? REQUEST_TIMEOUT_MS;
      const response =
        request.poolKey === undefined
          ? await readAlone(url.origin, dispatch, timeoutMs)
          : await readResponse(poolFor(request.poolKey, url.origin), dispatch, timeoutMs);
      return { ok: true, ...response, durationMs: elapsed() };
    } catch (error) {
      const { reason, detail } = error instanceof OutboundError ? error : new OutboundError('invalid_url');
      return { ok: false, reason, durationMs: elapsed(), detail };
    }
  }

  return {
    request(request) {
      if (isClosed) {
        const detail = 'The service is stopping.';
        return Promise.resolve({ ok: false, reason: 'connect_failed', durationMs: 0, detail });
      }
      const result = send(request);
      inFlight.add(result);
      return result;
    },
    async close() {
      isClosed = true;
      await inFlight.ended();
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid_url');
  }
  return url;
}
