import type { SecretBox } from '../secret-box.ts';

/** The parts of an integration that are encrypted at rest. */
export interface IntegrationSecrets {
  webhook_secret: string | null;
  webhook_headers: Record<string, string> | null;
}

const PURPOSE = 'integration';

/** null when there is nothing to keep. */
export function sealIntegrationSecrets(box: SecretBox, secrets: IntegrationSecrets): Buffer | null {
  if (secrets.webhook_secret === null && secrets.webhook_headers === null) return null;
  return box.encrypt(JSON.stringify(secrets), PURPOSE);
}

/** @throws Error when the key is not the one they were sealed with. */
export function openIntegrationSecrets(box: SecretBox, sealed: Buffer | null): IntegrationSecrets {
  if (sealed === null) return { webhook_secret: null, webhook_headers: null };
  return JSON.parse(box.decrypt(sealed, PURPOSE)) as IntegrationSecrets;
}
