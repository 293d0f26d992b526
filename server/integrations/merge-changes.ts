import type { JsonObject, JsonValue } from '../../fields/property.ts';
import { invalid } from '../http/errors.ts';
import type { SecretBox } from '../secret-box.ts';
import type { IntegrationChanges } from './check-integration.ts';
import { MASK, unfoundedMask, unmaskHeaders } from './integration-data.ts';
import type { IntegrationRow } from './queries.ts';
import { openIntegrationSecrets, sealIntegrationSecrets } from './secrets.ts';

const UNREADABLE = 'The stored secret cannot be read with the key of this service. Send it again, or null.';
const ELSEWHERE =
  'Stored header values are not sent to another server. Send the values again with the new address, or null.';

type Merged = Record<string, JsonValue | undefined>;

/**
 * The values to store for a new (`row` is null) or changed integration.
 * @param row locked, and read again: it may have changed since the check
 * @throws HttpError 422 when secrets were sealed with another key, when stored headers would go to another server, or
 * when a mask stands for nothing any more
 */
export function mergeChanges(box: SecretBox, row: IntegrationRow | null, changes: IntegrationChanges) {
  const before = (row?.data ?? {}) as JsonObject;
  const data = mergeData(before, changes);
  const isElsewhere = row !== null && originOf(before) !== originOf(data);
  const namesSecrets = changes.secret !== undefined || changes.headers !== undefined;
  if (row !== null && !isElsewhere && !namesSecrets) return { data, secretsEncrypted: row.secrets_encrypted };

  const stored = openIntegrationSecrets(box, row?.secrets_encrypted ?? null);
  // Otherwise setting new headers would silently end the signatures.
  if (stored === null && changes.secret === undefined) throw invalid({ 'data.webhook_secret': [UNREADABLE] });
  const secret = changes.secret === undefined ? (stored?.webhook_secret ?? null) : changes.secret;
  const headers = mergeHeaders(stored?.webhook_headers ?? null, changes.headers, isElsewhere);
  return {
    data,
    secretsEncrypted: sealIntegrationSecrets(box, { webhook_secret: secret, webhook_headers: headers }),
  };
}

function mergeData(before: JsonObject, { webhookUrl, providerUrl, members }: IntegrationChanges): Merged {
  const data: Merged = { ...before };
  if (webhookUrl !== undefined) data.webhook_url = webhookUrl;
  for (const [member, value] of Object.entries({ provider_url: providerUrl, ...members })) {
    if (value === null) delete data[member];
    else if (value !== undefined) data[member] = value;
  }
  return data;
}

/** People who may not read the stored values could otherwise send them to their own address. */
function mergeHeaders(
  stored: Record<string, string> | null,
  sent: IntegrationChanges['headers'],
  isElsewhere: boolean,
): Record<string, string> | null {
  const keepsSome = sent === undefined || (sent !== null && Object.values(sent).includes(MASK));
  if (stored !== null && isElsewhere && keepsSome) throw invalid({ 'data.webhook_headers': [ELSEWHERE] });
  if (sent === undefined) return stored;
  const problem = sent && unfoundedMask(sent, stored);
  if (problem !== null) throw invalid({ 'data.webhook_headers': [problem] });
  return sent && unmaskHeaders(sent, stored);
}

/** Mails have none. */
function originOf({ webhook_url: url }: Merged): string | null {
  return typeof url === 'string' ? (URL.parse(url)?.origin ?? null) : null;
}
