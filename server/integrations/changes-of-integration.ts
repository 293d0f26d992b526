import { isDeepStrictEqual } from 'node:util';
import type { ChatSettings } from '../chat/chat-settings.ts';
import type { MailSettings } from '../mail/mail-kinds.ts';
import type { SecretBox } from '../secret-box.ts';
import type { IntegrationRow } from './queries.ts';
import { openIntegrationSecrets } from './secrets.ts';

/** Members whose names are recorded when they change. */
const MEMBERS: readonly (keyof MailSettings | keyof ChatSettings | 'sends_edits')[] = [
  'sends_edits',
  'format',
  'message',
  'recipients',
  'recipient_field',
  'subject',
  'text',
  'reply_to_field',
  'reply_to',
  'fields',
  'include_answers',
  'edit_link',
];

/** Only the host of an address: path and query may be a secret of the receiver. */
export function hostOf({ data }: IntegrationRow): string | null {
  const { webhook_url: url } = data as { webhook_url?: string };
  return URL.parse(url ?? '')?.host ?? null;
}

/** Audit details of a new integration. Secrets and headers are only said to exist. */
export function describeIntegration(box: SecretBox, row: IntegrationRow) {
  const secrets = openIntegrationSecrets(box, row.secrets_encrypted);
  return {
    status: row.status,
    host: hostOf(row),
    has_secret: secrets?.webhook_secret != null,
    has_headers: secrets?.webhook_headers != null,
  };
}

/** Audit details of a change. They say that a secret or header was set, never its value. */
export function changesOfIntegration(box: SecretBox, before: IntegrationRow, after: IntegrationRow) {
  const [secrets, secretsAfter] = [before, after].map((row) =>
    openIntegrationSecrets(box, row.secrets_encrypted),
  );
  const [data, dataAfter] = [before, after].map((row) => row.data as Record<string, unknown>);
  const fields = [
    ...(before.status === after.status ? [] : ['status']),
    ...(before.integration_id === after.integration_id ? [] : ['integration_id']),
    ...(data?.webhook_url === dataAfter?.webhook_url ? [] : ['webhook_url']),
    ...(data?.provider_url === dataAfter?.provider_url ? [] : ['provider_url']),
    ...MEMBERS.filter((member) => !isDeepStrictEqual(data?.[member], dataAfter?.[member])),
    ...(isDeepStrictEqual(before.logic, after.logic) ? [] : ['logic']),
  ];
  return {
    fields,
    status: after.status,
    host: hostOf(after),
    secret_changed: secrets?.webhook_secret !== secretsAfter?.webhook_secret,
    headers_changed: !isDeepStrictEqual(secrets?.webhook_headers, secretsAfter?.webhook_headers),
  };
}
