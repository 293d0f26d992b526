import type { LookupFunction, Socket } from 'node:net';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { isLocalhostName } from '../deliveries/webhook-url.ts';
import { OutboundError } from './failure.ts';

/** Look-up, TCP and TLS together. */
const CONNECT_TIMEOUT_MS = 5000;
/** How long one address of a host is tried before the next. */
const ADDRESS_ATTEMPT_MS = 1000;

/** Whether a connection to an address may be opened. */
type IsAllowed = (address: string) => boolean;

/** All addresses of a host name; rejects when there is none. */
export type ResolveHost = (hostname: string) => Promise<readonly string[]>;

/**
 * Opens connections to allowed addresses only. A name is looked up once per connection. If one of its addresses is forbidden, the
 * connection is refused; otherwise it goes to one of exactly these addresses, so nothing can change between check and use. Before
 * a byte is sent, the address that was connected to is checked once more. Every error is an OutboundError.
 */
export function createGuardedConnector(isAllowed: IsAllowed, resolve: ResolveHost): buildConnector.connector {
  return function connect({ hostname, protocol, port }, callback) {
    // For a literal address Node does not call the lookup that checks addresses.
    if (isIP(hostname) !== 0 && !isAllowed(hostname)) {
      queueMicrotask(() => callback(new OutboundError('blocked_address'), null));
      return;
    }
    const isTls = protocol === 'https:';
    const socket = openSocket(hostname, port, isTls, checkedLookup(isAllowed, resolve));
    let isReached = false;
    let isSettled = false;

    const settle = (error: OutboundError | null) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      if (error === null) return callback(null, socket);
      socket.destroy();
      callback(error, null);
    };
    const timer = setTimeout(() => settle(new OutboundError('connect_timeout')), CONNECT_TIMEOUT_MS);
    const checkPeer = () => {
      isReached = true;
      if (!isAllowed(socket.remoteAddress ?? '')) {
        settle(new OutboundError('blocked_address'));
      }
    };

    socket.on('connect', checkPeer);
    socket.on(isTls ? 'secureConnect' : 'connect', () => settle(null));
    socket.on('error', (error) => {
      if (error instanceof OutboundError) settle(error);
      else settle(new OutboundError(isReached ? 'tls_failed' : connectFailure(error), error));
    });
  };
}

function openSocket(hostname: string, port: string, isTls: boolean, lookup: LookupFunction): Socket {
  const target = {
    host: hostname,
    port: Number(port) || (isTls ? 443 : 80),
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
    noDelay: true,
  };
  if (!isTls) return connectTcp(target);
  return connectTls({
    ...target,
    servername: isIP(hostname) === 0 ? hostname : '',
    ALPNProtocols: ['http/1.1'],
    rejectUnauthorized: true,
  });
}

function checkedLookup(isAllowed: IsAllowed, resolve: ResolveHost): LookupFunction {
  return (hostname, _options, callback) => {
    resolveAllowed(hostname, isAllowed, resolve).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error) => callback(error, []),
    );
  };
}

async function resolveAllowed(
  hostname: string,
  isAllowed: IsAllowed,
  resolve: ResolveHost,
): Promise<readonly string[]> {
  if (isLocalhostName(hostname)) {
    const loopback = ['127.0.0.1', '::1'].filter(isAllowed);
    if (loopback.length === 0) throw new OutboundError('blocked_address');
    return loopback;
  }
  const addresses = await resolve(hostname).catch((error: unknown) => {
    throw new OutboundError('dns_failed', error);
  });
  if (addresses.length === 0) throw new OutboundError('dns_failed');
  if (!addresses.every(isAllowed)) {
    throw new OutboundError('blocked_address');
  }
  return addresses;
}

/** All addresses have been tried. The last one timed out at the system's own limit, or refused the connection. */
function connectFailure(error: NodeJS.ErrnoException): 'connect_timeout' | 'connect_failed' {
  return error.code === 'ETIMEDOUT' ? 'connect_timeout' : 'connect_failed';
}
