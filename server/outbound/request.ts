import type { Dispatcher } from 'undici';
import { Client, Pool } from 'undici';
import { createUnderWay } from '../under-way.ts';
import type { AllowedNetworks } from './address.ts';
import { OutboundError } from './failure.ts';
import type { ResolveHost } from './guarded-connector.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { resolveHost } from './resolve-host.ts';
import { exchange, type OutboundResult } from './response.ts';

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
  poolKey?: string | undefined;
}

/** Where the requests of one key go. */
interface Target {
  url: string;
  origin: string;
  path: string;
  /** Of the origin. */
  pool: Pool;
}

export interface Outbound {
  /** Sends one request, follows nothing, and never throws. `ok` means a status arrived, whichever it is. */
  request(request: OutboundRequest): Promise<OutboundResult>;
  /** Waits for the requests in flight and closes all connections. */
  close(): Promise<void>;
}

/**
 * The one way this product calls out. Only global unicast addresses and the operator's own networks are reached;
 * proxy variables are not read, redirects are not followed, bodies are not decompressed. `lookup` replaces DNS in tests, which want
 * fewer pools, too.
 */
export function createOutbound(options: {
  allowedNetworks: AllowedNetworks;
  lookup?: ResolveHost;
  maxPools?: number;
}): Outbound {
  const { maxPools = MAX_POOLS } = options;
  const clientOptions = {
    connect: createGuardedConnector(options.allowedNetworks, options.lookup ?? resolveHost),
    keepAliveTimeout: MAX_IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // The time limit is one timer over the whole exchange, see `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
  };
  const targets = new Map<string, Target>();
  const inFlight = createUnderWay();
  let isClosed = false;

  /** A Map keeps the order of insertion: the one used last is put last. */
  function targetOf(key: string, url: string): Target {
    const known = targets.get(key);
    const target = known?.url === url ? known : openTarget(url, known);
    targets.delete(key);
    targets.set(key, target);
    const [oldest] = targets;
    if (targets.size > maxPools && oldest !== undefined) {
      targets.delete(oldest[0]);
      void oldest[1].pool.close();
    }
    return target;
  }

  function openTarget(url: string, former: Target | undefined): Target {
    const { origin, path } = readUrl(url);
    if (former?.origin === origin) return { ...former, url, path };
    void former?.pool.close();
    return {
      url,
      origin,
      path,
      pool: new Pool(origin, { ...clientOptions, connections: MAX_CONNECTIONS_PER_POOL }),
    };
  }

  /** On a connection of its own, which ends with the response. */
  function sendAlone(request: OutboundRequest): Promise<OutboundResult> {
    const { origin, path } = readUrl(request.url);
    const client = new Client(origin, { ...clientOptions, pipelining: 0 });
    return exchange(
      client,
      dispatchOf(request, origin, path),
      request.timeoutMs ?? REQUEST_TIMEOUT_MS,
    ).finally(() => void client.destroy());
  }

  function send(request: OutboundRequest): Promise<OutboundResult> {
    try {
      if (request.poolKey === undefined) return sendAlone(request);
      const { pool, origin, path } = targetOf(request.poolKey, request.url);
      return exchange(pool, dispatchOf(request, origin, path), request.timeoutMs ?? REQUEST_TIMEOUT_MS);
    } catch {
      const { reason, detail } = new OutboundError('invalid_url');
      return Promise.resolve({ ok: false, reason, durationMs: 0, detail });
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
      await Promise.all([...targets.values()].map(({ pool }) => pool.destroy()));
      targets.clear();
    },
  };
}

function dispatchOf(
  { method = 'POST', headers, body }: OutboundRequest,
  origin: string,
  path: string,
): Dispatcher.DispatchOptions {
  return { origin, path, method, headers, body: body ?? null };
}

/** @throws OutboundError */
function readUrl(text: string): { origin: string; path: string } {
  const url = URL.parse(text);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new OutboundError('invalid_url');
  }
  return { origin: url.origin, path: url.pathname + url.search };
}
