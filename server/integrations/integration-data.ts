import type { JsonObject, JsonValue } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { isMailKind } from '../mail/mail-kinds.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { IntegrationRow } from './queries.ts';
import { type IntegrationSecrets, openIntegrationSecrets } from './secrets.ts';

/** Stands for a stored secret that is not shown; sent back, it means "unchanged". */
export const MASK = '********';

/** Secrets that the call itself sent, which its response therefore shows once. */
interface SentSecrets {
  secret?: string | null | undefined;
  headers?: Record<string, string> | null | undefined;
}

const NO_MAIL_SERVER =
  'There is no mail server yet, neither of the workspace nor of this service (SMTP_URL): mails wait until there is one.';
const UNREADABLE_SECRETS =
  'The secret and the headers cannot be read with the key of this service: deliveries wait until they are set again.';

/** An integration as the API shows it. */
export function presentIntegration(
  row: IntegrationRow,
  { secrets: box }: Pick<Context, 'secrets'>,
  /** Of the form's workspace. */
  mailer: Mailer,
  sent: SentSecrets = {},
) {
  const secrets = openIntegrationSecrets(box, row.secrets_encrypted);
  const needsMailServer = isMailKind(row.integration_id) && !mailer.isConfigured;
  return {
    id: row.id,
    form_id: row.form_id,
    integration_id: row.integration_id,
    status: row.status,
    data: { ...(row.data as JsonObject), ...presentSecrets(secrets, sent) },
    logic: row.logic,
    inactive_reason: row.inactive_reason,
    notice: secrets === null ? UNREADABLE_SECRETS : needsMailServer ? NO_MAIL_SERVER : null,
    failing_since: row.failing_since?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentSecrets(secrets: IntegrationSecrets | null, sent: SentSecrets): JsonObject {
  if (secrets === null) return { webhook_secret: MASK };
  const { webhook_secret, webhook_headers } = secrets;
  const shown: { [key: string]: JsonValue } = {};
  if (webhook_secret !== null) shown.webhook_secret = sent.secret ?? MASK;
  if (webhook_headers !== null)
    shown.webhook_headers = mapValues(
      webhook_headers,
      (name) => headerValue(sent.headers ?? null, name) ?? MASK,
    );
  return shown;
}

/** The headers to store: every mask replaced by the value it stands for. */
export function unmaskHeaders(
  sent: Record<string, string>,
  stored: Record<string, string> | null,
): Record<string, string> {
  return mapValues(sent, (name, value) => (value === MASK ? (headerValue(stored, name) ?? value) : value));
}

/** A mask for no stored value would be sent to the receiver as the value. */
export function unfoundedMask(
  headers: Record<string, string>,
  stored: Record<string, string> | null,
): string | null {
  const name = Object.keys(headers).find(
    (key) => headers[key] === MASK && headerValue(stored, key) === undefined,
  );
  return name === undefined ? null : `Header '${name}' has no stored value that ${MASK} could stand for.`;
}

/** Header names ignore letter case (RFC 9110 section 5.1). */
function headerValue(headers: Record<string, string> | null, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

function mapValues(object: Record<string, string>, change: (key: string, value: string) => string) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
}
