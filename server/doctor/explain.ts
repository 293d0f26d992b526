import type { Config } from '../config.ts';
import { serversOf } from '../db/database-servers.ts';
import { decoded } from './addresses.ts';

const MAX_LENGTH = 300;

/**
 * Puts an error into one line. A server or library may repeat its input in the text, so all secrets of the settings are
 * removed.
 */
export function createExplain(config: Config): (error: unknown) => string {
  // Longest first: one secret may be part of another.
  const secrets = secretsOf(config).sort((one, other) => other.length - one.length);
  return (error) => {
    const text = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), reasonOf(error));
    return text
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_LENGTH);
  };
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || 'no reason was given';
}

function secretsOf({ databaseUrl, smtpUrl, secretKey, s3Server, singleSignOn, captcha }: Config): string[] {
  return [
    ...[...serversOf(databaseUrl), smtpUrl].flatMap(passwordsOf),
    secretKey,
    s3Server.secretAccessKey,
    singleSignOn?.clientSecret,
    ...Object.values(captcha).map((keys) => keys?.secretKey),
  ].filter((secret) => typeof secret === 'string' && secret !== '') as string[];
}

/** The password as written in the URL, and as sent. */
function passwordsOf(text: string | null): string[] {
  if (text === null) return [];
  const { password, searchParams } = new URL(text);
  return [password, decoded(password), searchParams.get('password') ?? ''];
}
