import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Db } from '../db/database.ts';
import { openIntegrationSecrets } from '../integrations/secrets.ts';
import { isMailKind, type MailKind, mailSettings } from '../mail/mail-kinds.ts';
import type { SecretBox } from '../secret-box.ts';
import { fixedHeaders } from './delivery-headers.ts';
import { type EndpointRow, findEndpoints } from './outbox-queries.ts';
import { type SigningKeys, signingKeys } from './signature.ts';

/** Where and how the deliveries of an integration are sent, as of now. */
export type Endpoint = WebEndpoint | MailEndpoint;

export interface WebEndpoint {
  kind: 'web';
  url: string;
  /** null: it is not signed. */
  keys: SigningKeys | null;
  /** The owner's own headers. */
  headers: Record<string, string>;
  /** Of every request, theirs among them. */
  fixedHeaders: Record<string, string>;
  /** Its last deliveries all failed. */
  isFailing: boolean;
}

export interface MailEndpoint {
  kind: MailKind;
  formId: number;
  /** Of mails to owners; a confirmation has its recipient in itself. */
  recipients: readonly string[];
  isFailing: boolean;
}

/** What is known of an integration is used for this long from when it was asked for. */
const ENDPOINT_LEASE_MS = 100;
/**
 * And for so long from when it arrived: where the database takes longer to answer than the lease lasts, nothing would ever be sent.
 * Whoever makes a change waits for the same database before the lease is waited for.
 */
const LEAST_USE_MS = 20;
const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Resolves when no process uses an older state of any integration for a new request, but for what one has waited for longer than the
 * lease. Whoever changes or deletes an integration, or deliveries, waits for this after the commit and before answering: from the
 * answer on, the change is in force.
 */
export function endpointChangesInForce(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ENDPOINT_LEASE_MS));
}

export interface Endpoints {
  /** null = inactive or gone; undefined = not known any more, `refresh` it first. */
  current(integrationId: number): Endpoint | null | undefined;
  /** By `performance.now()`: deliveries claimed before may have been removed meanwhile. As of what `current` told. */
  removedAt(integrationId: number): number;
  /** Reads it again; requests of one turn of the event loop are one query. */
  refresh(integrationId: number): Promise<void>;
  forget(integrationId: number): void;
}

/** What was read of an integration. */
interface Known {
  /** null = inactive or gone. */
  row: EndpointRow | null;
  endpoint: Endpoint | null;
  /** By `performance.now()`. */
  askedAt: number;
  usedUntil: number;
  removedAt: number;
  /** Somebody has asked for it since. */
  isInUse: boolean;
  /** A newer state is on its way. */
  isBeingRead: boolean;
}

/** Keeps the endpoints in use. One whose secrets the key does not open has no URL: nothing is ever sent unsigned. */
export function createEndpoints(db: Db, secrets: SecretBox, log: Logger): Endpoints {
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
    // Busy receivers do not have to wait for the next reading.
    if (now > entry.askedAt + ENDPOINT_LEASE_MS / 2 && !entry.isBeingRead) refreshInUse();
    return entry.endpoint;
  }

  /** All together, so that it is one query for all of them, and not one for each. */
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
      // Of a clock that was set back nothing can be learnt.
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

  /** Most of the time nothing has changed, and decrypting and making keys takes longer than reading the row. */
  function openUnlessSame(row: EndpointRow | null, before: Known | undefined): Endpoint | null {
    if (row === null) return null;
    return before?.row && isSameEndpoint(row, before.row) ? before.endpoint : open(row);
  }

  function open(row: EndpointRow): Endpoint {
    const endpoint = openEndpoint(row, secrets);
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

/** Without a URL when the key is not the one the secrets were sealed with. */
export function openEndpoint(row: Omit<EndpointRow, 'id' | 'removed_ms_ago'>, box: SecretBox): Endpoint {
  const { integration_id: kind, form_id: formId } = row;
  if (isMailKind(kind)) {
    const { recipients = [] } = mailSettings(row.data);
    return { kind, formId, recipients, isFailing: row.failing_since !== null };
  }
  const secrets = openIntegrationSecrets(box, row.secrets_encrypted);
  if (secrets === null)
    return { kind: 'web', url: '', keys: null, headers: {}, fixedHeaders: {}, isFailing: true };
  const { webhook_url: url = '' } = row.data as { webhook_url?: string };
  const { webhook_secret: secret, webhook_headers } = secrets;
  const headers = webhook_headers ?? {};
  return {
    kind: 'web',
    url,
    keys: secret === null ? null : signingKeys(secret),
    headers,
    fixedHeaders: fixedHeaders(headers, secret !== null),
    isFailing: row.failing_since !== null,
  };
}
