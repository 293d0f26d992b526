import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * A text with its signature. It may be pasted, and saved by any editor: how lines end, spaces at their end, and empty lines around
 * the text do not count.
 */
interface SignedCopy {
  /** The exact bytes that were signed, as text. */
  signed: string;
  keyId: string;
  /** 64 bytes. */
  signature: Buffer;
}

/** Whatever an editor may take for the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;
const KEY_LINE = /^Key: ([0-9a-f]{16})$/;
const SIGNATURE_LINE = /^Signature: ([\w-]{86})$/;
/** What stands before the 32 bytes of a public Ed25519 key in DER (RFC 8410, 4 and 10.1). */
const PUBLIC_HEAD = Buffer.from('302a300506032b6570032100', 'hex');

/** The lines of a text, as they are signed. */
export function linesOf(text: string): string[] {
  return text.split(LINE_END).map((line) => line.trimEnd());
}

/** @param privateKey of Ed25519 */
export function signCopy(text: string, privateKey: KeyObject): string {
  const id = keyIdOf(publicBytes(privateKey));
  const signed = `${linesOf(text).join('\n')}\nKey: ${id}\n`;
  return `${signed}Signature: ${sign(null, Buffer.from(signed), privateKey).toString('base64url')}\n`;
}

/** Takes a copy apart; null if it does not end in its key and its signature. */
export function readCopy(text: string): SignedCopy | null {
  const lines = linesOf(text.trim());
  const [, signature] = SIGNATURE_LINE.exec(lines.pop() ?? '') ?? [];
  const [, keyId] = KEY_LINE.exec(lines.at(-1) ?? '') ?? [];
  if (signature === undefined || keyId === undefined) return null;
  return { signed: `${lines.join('\n')}\n`, keyId, signature: Buffer.from(signature, 'base64url') };
}

/** @param publicKey 32 bytes */
export function isSignedBy({ signed, signature }: SignedCopy, publicKey: Buffer): boolean {
  return verify(null, Buffer.from(signed), publicKeyOf(publicKey), signature);
}

/** The 32 bytes of the public half. */
export function publicBytes(privateKey: KeyObject): Buffer {
  return createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_HEAD.length);
}

export function keyIdOf(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** @param publicKey 32 bytes */
export function publicKeyOf(publicKey: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, publicKey]), format: 'der', type: 'spki' });
}
