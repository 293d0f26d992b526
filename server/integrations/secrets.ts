import type { SecretBox } from '../secret-box.ts';

/** The parts of an integration that are encrypted at rest. */
export interface IntegrationSecrets {
  webhook_secret: string | null;
  webhook_headers: Record<string, string> | null;
}

export const NO_SECRETS: IntegrationSecrets = { webhook_secret: null, webhook_headers: null };

/** Purpose of their encryption. */
export const INTEGRATION_PURPOSE = 'integration';

/** null without secrets. */
export function sealIntegrationSecrets(box: SecretBox, secrets: IntegrationSecrets): Buffer | null {
  if (secrets.webhook_secret === null && secrets.webhook_headers === null) return null;
  return box.encrypt(JSON.stringify(secrets), INTEGRATION_PURPOSE);
}

/** null when another key sealed them: the owner has to set them again. */
export function openIntegrationSecrets(box: SecretBox, sealed: Buffer | null): IntegrationSecrets | null {
  if (sealed === null) return NO_SECRETS;
  const text = box.decrypt(sealed, INTEGRATION_PURPOSE);
  return text === null ? null : (JSON.parse(text) as IntegrationSecrets);
}
