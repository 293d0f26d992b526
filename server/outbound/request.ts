import type { Dispatcher } from 'undici';
import { Client, Pool } from 'undici';
import { createUnderWay } from '../under-way.ts';
import { type AllowedNetworks, isAllowedAddress } from './address.ts';
import { OutboundError } from './failure.ts';
import type { ResolveHost } from './guarded-connector.ts';
import { createGuardedConnector } from './guarded-connector.ts';
import { resolveHost } from './resolve-host.ts';
import { exchange, type Limits, type OutboundResult } from './response.ts';

/** Default time for the whole exchange. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Idle connections are closed after this: common servers close theirs after 5 s, maybe just when a request comes. */
const MAX_IDLE_MS = 4000;
const MAX_HEADER_BYTES = 16 * 1024;
/** With more pools the least recently used one is closed. With more requests than connections in a pool, requests wait. */
const MAX_POOLS = 500;
const MAX_CONNECTIONS_PER_POOL = 64;

export interface OutboundRequest {
  url: string;
  /** Default POST. */
  method?: 'POST' | 'GET';
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Milliseconds for the whole exchange, default 15,000; connecting may take 5,000 of them. */
  timeoutMs?: number;
  /** Bytes of the body that are kept, up to 65,536; default 2,048. */
  keptBytes?: number;
  /** Requests with the same key (an integration's id) and origin share connections, which are kept open; without a key none is kept. */
  poolKey?: string | undefined;
}

/** Where requests with the same key go. */
interface Target {
  url: string;
  origin: string;
  path: string;
  /** Connections to the origin. */
  pool: Pool;
}

export interface Outbound {
  /** Sends one request and follows no redirect. Never throws. `ok` means that a status arrived, whichever it is. */
  request(request: OutboundRequest): Promise<OutboundResult>;
  /** Waits for requests in flight, then closes all connections. */
  close(): Promise<void>;
}

/**
 * All requests to addresses that others choose go through this. It reaches only global unicast addresses and networks that the operator
 * opened, reads no proxy variables, follows no redirects and decompresses no bodies.
 * @param options.lookup replaces DNS in tests
 * @param options.maxPools fewer pools, for tests
 */
export function createOutbound(options: {
  allowedNetworks: AllowedNetworks;
  lookup?: ResolveHost;
  maxPools?: number;
}): Outbound {
  const { maxPools = MAX_POOLS } = options;
  const clientOptions = {
    connect: createGuardedConnector(
      (address) => isAllowedAddress(address, options.allowedNetworks),
      options.lookup ?? resolveHost,
    ),
    keepAliveTimeout: MAX_IDLE_MS,
    keepAliveMaxTimeout: MAX_IDLE_MS,
    // One timer limits the whole exchange instead, see `exchange`.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    allowH2: false,
  };
  const targets = new Map<string, Target>();
  const inFlight = createUnderWay();
  let isClosed = false;

  /** A Map keeps the order of insertion, so putting the target in again makes it the most recently used. */
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

  /** Sends on a connection of its own, which ends with the response. */
  function sendAlone(request: OutboundRequest): Promise<OutboundResult> {
    const { origin, path } = readUrl(request.url);
    const client = new Client(origin, { ...clientOptions, pipelining: 0 });
    return exchange(client, dispatchOf(request, origin, path), limitsOf(request)).finally(
      () => void client.destroy(),
    );
  }

  function send(request: OutboundRequest): Promise<OutboundResult> {
    try {
      if (request.poolKey === undefined) return sendAlone(request);
      const { pool, origin, path } = targetOf(request.poolKey, request.url);
      return exchange(pool, dispatchOf(request, origin, path), limitsOf(request));
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

function limitsOf({ timeoutMs = REQUEST_TIMEOUT_MS, keptBytes }: OutboundRequest): Limits {
  return { timeoutMs, ...(keptBytes !== undefined && { keptBytes }) };
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
