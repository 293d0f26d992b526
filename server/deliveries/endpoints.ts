import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Context } from '../context.ts';
import type { Db } from '../db/database.ts';
import { openIntegrationSecrets } from '../integrations/secrets.ts';
import { isMailKind, type MailKind, mailSettings } from '../mail/mail-kinds.ts';
import type { Mailer } from '../mail/mailer.ts';
import { fixedHeaders } from './delivery-headers.ts';
import { type EndpointRow, findEndpoints } from './outbox-queries.ts';
import { type SigningKeys, signingKeys } from './signature.ts';

/** Where and how deliveries of an integration are sent at present. */
export type Endpoint = WebEndpoint | MailEndpoint;

export interface WebEndpoint {
  kind: 'web';
  /** Empty while the secrets cannot be read. */
  url: string;
  /** The `webhook_url` as it is stored. */
  storedUrl: string;
  /** null for requests that are not signed. */
  keys: SigningKeys | null;
  /** The owner's custom headers. */
  headers: Record<string, string>;
  /** Headers that all requests have in common, custom ones included. */
  fixedHeaders: Record<string, string>;
  /** Its latest deliveries have failed. */
  isFailing: boolean;
}

export interface MailEndpoint {
  kind: MailKind;
  formId: number;
  /** Recipients of mails to owners; a confirmation contains its own recipient. */
  recipients: readonly string[];
  mailer: Mailer;
  isFailing: boolean;
}

/** Opens what an endpoint is stored as. */
type EndpointKeys = Pick<Context, 'secrets' | 'mailerOf'>;

/** An endpoint is used for this long after it was asked for. */
const ENDPOINT_LEASE_MS = 100;
/**
 * An endpoint is also used for this long after it arrived, or nothing would ever be sent while the database takes longer than the
 * lease to answer. A change takes effect in time all the same, as its own commit waits for that slow database, too.
 */
const LEAST_USE_MS = 20;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Resolves when no process begins a request by an older state of any integration. Whoever changes or deletes an integration, or
 * deliveries, waits for this between commit and answer, so that the change is in force once it is answered. (Exception: a process
 * whose query took longer than the lease, see `LEAST_USE_MS`.)
 */
export function endpointChangesInForce(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ENDPOINT_LEASE_MS));
}

interface Endpoints {
  /** null when inactive or gone; undefined when unknown or too old, so that it must be refreshed first. */
  current(integrationId: number): Endpoint | null | undefined;
  /** Deliveries claimed before this moment, by `performance.now()`, may have been deleted. Known as of what `current` returned. */
  removedAt(integrationId: number): number;
  /** Reads it again. Calls in one turn of the event loop share a query. */
  refresh(integrationId: number): Promise<void>;
  forget(integrationId: number): void;
}

/** An integration as it was last read. */
interface Known {
  /** null when inactive or gone. */
  row: EndpointRow | null;
  endpoint: Endpoint | null;
  /** By `performance.now()`. */
  askedAt: number;
  usedUntil: number;
  removedAt: number;
  /** It has been asked for since. */
  isInUse: boolean;
  /** It is being read again. */
  isBeingRead: boolean;
}

/** Caches the endpoints in use. An endpoint whose secrets the key does not open gets no URL, so that nothing is sent unsigned. */
export function createEndpoints(db: Db, keys: EndpointKeys, log: Logger): Endpoints {
  const unreadable = new Set<number>();
  const known = new Map<number, Known>();
  let wanted = new Set<number>();
  let reading: Promise<void> | null = null;

  function current(integrationId: number): Endpoint | null | undefined {
    const entry = known.get(integrationId);
    if (entry === undefined) return undefined;
    const now = performance.now();
    if (now > entry.usedUntil) return undefined;
    entry.isInUse = true;
    // Reads ahead, so that busy receivers need not wait for it.
    if (now > entry.askedAt + ENDPOINT_LEASE_MS / 2 && !entry.isBeingRead) refreshInUse();
    return entry.endpoint;
  }

  /** Reads all endpoints in use again by one query. */
  function refreshInUse(): void {
    const inUse = [...known].filter(([, { isInUse, isBeingRead }]) => isInUse && !isBeingRead);
    for (const [id, entry] of inUse) {
      entry.isBeingRead = true;
      wanted.add(id);
    }
    readSoon().catch(() => {
      for (const [, entry] of inUse) entry.isBeingRead = false;
    });
  }

  function refresh(integrationId: number): Promise<void> {
    wanted.add(integrationId);
    return readSoon();
  }

  function readSoon(): Promise<void> {
    reading ??= new Promise(setImmediate).then(read);
    return reading;
  }

  async function read(): Promise<void> {
    const ids = [...wanted];
    wanted = new Set();
    reading = null;
    const askedAt = performance.now();
    const rows = await findEndpoints(db, ids);
    const answeredAt = performance.now();
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const id of ids) {
      const row = byId.get(id) ?? null;
      const ago = row?.removed_ms_ago ?? -1;
      // A negative time means that the database's clock was set back: then it is of no use.
      const removedAt = ago < 0 ? NEVER : answeredAt - ago;
      known.set(id, {
        row,
        endpoint: openUnlessSame(row, known.get(id)),
        askedAt,
        usedUntil: Math.max(askedAt + ENDPOINT_LEASE_MS, answeredAt + LEAST_USE_MS),
        removedAt,
        isInUse: false,
        isBeingRead: false,
      });
    }
  }

  /** Mostly nothing has changed, and decrypting secrets and making keys takes longer than reading the row. */
  function openUnlessSame(row: EndpointRow | null, before: Known | undefined): Endpoint | null {
    if (row === null) return null;
    return before?.row && isSameEndpoint(row, before.row) ? before.endpoint : open(row);
  }

  function open(row: EndpointRow): Endpoint {
    const endpoint = openEndpoint(row, keys);
    if (endpoint.kind !== 'web' || endpoint.url !== '') unreadable.delete(row.id);
    else if (!unreadable.has(row.id)) {
      log.error({ integrationId: row.id }, 'the secrets of an integration cannot be read with this key');
      unreadable.add(row.id);
    }
    return endpoint;
  }

  return {
    current,
    refresh,
    removedAt: (integrationId) => known.get(integrationId)?.removedAt ?? NEVER,
    forget: (integrationId) => void known.delete(integrationId),
  };
}

function isSameEndpoint(
  { removed_ms_ago: _, ...row }: EndpointRow,
  { removed_ms_ago: __, ...other }: EndpointRow,
): boolean {
  return isDeepStrictEqual(row, other);
}

/** @returns an endpoint without a URL when its secrets were encrypted with another key */
export function openEndpoint(
  row: Omit<EndpointRow, 'id' | 'removed_ms_ago'>,
  { secrets: box, mailerOf }: EndpointKeys,
): Endpoint {
  const { integration_id: kind, form_id: formId } = row;
  if (isMailKind(kind)) {
    const { recipients = [] } = mailSettings(row.data);
    const mailer = mailerOf(row.mail_server);
    return { kind, formId, recipients, mailer, isFailing: row.failing_since !== null };
  }
  const secrets = openIntegrationSecrets(box, row.secrets_encrypted);
  const { webhook_url: url = '' } = row.data as { webhook_url?: string };
  if (secrets === null)
    return {
      kind: 'web',
      url: '',
      storedUrl: url,
      keys: null,
      headers: {},
      fixedHeaders: {},
      isFailing: true,
    };
  const { webhook_secret: secret, webhook_headers } = secrets;
  const headers = webhook_headers ?? {};
  return {
    kind: 'web',
    url,
    storedUrl: url,
    keys: secret === null ? null : signingKeys(secret),
    headers,
    fixedHeaders: fixedHeaders(headers, secret !== null),
    isFailing: row.failing_since !== null,
  };
}
