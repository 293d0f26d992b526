import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, nullWhenMissing } from './file-system.ts';

/** Encrypts secrets that must be readable again (of webhooks, header values, invite tokens) with a key outside the database. */
export interface SecretBox {
  /** AES-256-GCM: version byte, 12-byte nonce, ciphertext, 16-byte tag. `purpose` binds the text to its place. */
  encrypt(plain: string, purpose: string): Buffer;
  /** null when key, purpose or text do not match. */
  decrypt(sealed: Buffer, purpose: string): string | null;
  /** Identifies the key without revealing it. */
  fingerprint: string;
  /** HMAC-SHA256 in hex for signed links and challenges, with a key of its own per purpose. */
  sign(text: string, purpose: string): string;
  /** An Ed25519 key for signatures that others check, one per purpose. */
  privateKey(purpose: string): KeyObject;
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What stands before the 32 bytes of an Ed25519 key in DER (RFC 8410, 7 and 10.3). */
const ED25519_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_FILE = 'secret.key';
const KEY_BYTES = 32;
/** A key as written: its bytes in hex. */
const KEY = /^[0-9a-f]{64}$/i;

/** A file without a key, or the key of another database; the message is one plain line that says what to do. */
export class UnusableKeyError extends Error {
  static readonly code = 'UNUSABLE_KEY';
  /** Errors from another process of the service lose their class. */
  readonly code = UnusableKeyError.code;
}

/** The key from the environment, or the one kept in the data directory (made on first use). */
export async function openSecretBox(secretKeyHex: string | null, dataDir: string): Promise<SecretBox> {
  return createSecretBox(Buffer.from(secretKeyHex ?? (await keyFromFile(dataDir)), 'hex'));
}

/** @param master 32 bytes */
export function createSecretBox(master: Buffer): SecretBox {
  // A shorter key, even an empty one, would work too, and be guessable.
  if (master.length !== KEY_BYTES)
    throw new RangeError(`A key has ${KEY_BYTES} bytes, not ${master.length}.`);
  const encryptionKey = derive(master, 'encryption');
  const signingKeys = new Map<string, Buffer>();
  return {
    fingerprint: derive(master, 'fingerprint').toString('hex'),
    encrypt(plain, purpose) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, nonce).setAAD(Buffer.from(purpose));
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, sealed, cipher.getAuthTag()]);
    },
    decrypt(sealed, purpose) {
      // A shorter tag would be easier to guess.
      if (sealed[0] !== VERSION || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) return null;
      const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(purpose))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        const text = decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString('utf8');
      } catch {
        return null;
      }
    },
    sign(text, purpose) {
      const key = signingKeys.get(purpose) ?? derive(master, `sign:${purpose}`);
      signingKeys.set(purpose, key);
      return createHmac('sha256', key).update(text).digest('hex');
    },
    privateKey(purpose) {
      const key = Buffer.concat([ED25519_HEAD, derive(master, `ed25519:${purpose}`)]);
      return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    },
  };
}

function derive(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `formstead:${purpose}`, 32));
}

/** The file that holds the key when the environment does not. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, KEY_FILE);
}

/** The place of the key in use, in words for the operator. */
export function keyPlace({ secretKey, dataDir }: { secretKey: string | null; dataDir: string }): string {
  return secretKey === null ? keyFileIn(dataDir) : 'SECRET_KEY';
}

/** The file of a new key that a rotation has not put in force yet. */
export function nextKeyFileIn(dataDir: string): string {
  return `${keyFileIn(dataDir)}.next`;
}

async function keyFromFile(dataDir: string): Promise<string> {
  const path = keyFileIn(dataDir);
  return (await readKeyFile(path)) ?? makeKeyFile(dataDir, path);
}

/** The key in a file, as hex; null when the file is missing. @throws UnusableKeyError */
export async function readKeyFile(
  path: string,
  mend = 'Restore the key from the backup.',
): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(nullWhenMissing);
  if (text === null) return null;
  if (isKey(text.trim())) return text.trim();
  throw new UnusableKeyError(`${path} must hold 64 hexadecimal digits and nothing else. ${mend}`);
}

/** The key of an interrupted rotation, as hex, or null. @throws UnusableKeyError */
export function readNextKeyFile(dataDir: string): Promise<string | null> {
  const mend = 'Move it away: a key change that was interrupted then begins anew.';
  return readKeyFile(nextKeyFileIn(dataDir), mend);
}

/** Whether a text is a key in hex: decoding alone would stop silently at the first other character. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * Makes a key file that is complete or missing, never partial.
 * @returns the key in it, which another process may have written
 */
export async function makeKeyFile(dataDir: string, path: string): Promise<string> {
  await makeDirectory(dataDir);
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600, flush: true });
  // A hard link fails when the file exists, so two simultaneous first starts end up with the same key.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft);
  return (await readFile(path, 'utf8')).trim();
}
