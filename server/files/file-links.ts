import { createHmac, timingSafeEqual } from 'node:crypto';
import { extensionOf, fileIdOf } from '../../fields/file-reference.ts';
import type { JsonValue } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { type AddressedForm, formAddress } from '../forms/address/form-address.ts';
import type { SecretBox } from '../secret-box.ts';

/** What is needed to make links. */
export interface LinkSource {
  secrets: Pick<SecretBox, 'sign'>;
  /** The public address without a trailing slash. */
  baseUrl: string;
  addressOf(form: AddressedForm): string;
}

/** Links to the files of one form that expire at one moment. */
export interface FileLinks {
  /** The address behind the name that an answer holds. */
  urlOf(name: string): string;
  /** For PostgreSQL to build the same address: the text before and after the file's name, and the two keys of HMAC-SHA256. */
  parts: { start: string; end: string; innerKey: Buffer; outerKey: Buffer };
}

/** Validity of the links that members see in lists, seconds. */
export const READING_SECONDS = 600;
export const DEFAULT_HOURS = 24;
/** The longest validity that a policy may set, hours. */
export const MAX_HOURS = 24 * 366;
const HOUR_SECONDS = 3600;
const PURPOSE = 'files';
/** The block size of SHA-256, bytes. */
const BLOCK = 64;

/** The link source of this process. To be called once the public address is known. */
export function linkSource(context: Pick<Context, 'secrets' | 'baseUrl' | 'config'>): LinkSource {
  const { secrets, baseUrl } = context;
  return { secrets, baseUrl: baseUrl(), addressOf: (form) => formAddress(context, form) };
}

/** How long links that leave the service are valid, in hours, by the workspace's policy. Without one: 24. */
export function linkHours(policy: unknown): number {
  return typeof policy === 'number' && policy > 0 && policy <= MAX_HOURS ? policy : DEFAULT_HOURS;
}

export function linkSeconds(policy: unknown): number {
  return Math.ceil(linkHours(policy) * HOUR_SECONDS);
}

export function createFileLinks(
  { secrets, baseUrl }: Pick<LinkSource, 'secrets' | 'baseUrl'>,
  formId: number,
  seconds: number,
): FileLinks {
  const issued = Math.floor(Date.now() / 1000);
  const expires = issued + seconds;
  const key = keyOf(secrets, { formId, expires, issued });
  const start = `${baseUrl}/open/forms/${formId}/submissions/file/`;
  const end = `?expires=${expires}&issued=${issued}&signature=`;
  return {
    urlOf(name) {
      const id = fileIdOf(name) ?? '';
      const extension = extensionOf(name);
      const file = extension === '' ? id : `${id}.${extension}`;
      return start + file + end + signatureOf(key, id);
    },
    parts: { start, end, innerKey: padded(key, 0x36), outerKey: padded(key, 0x5c) },
  };
}

/** Whether the link was made here, for this file, and is still valid. */
export function isGoodLink(
  { secrets }: Pick<LinkSource, 'secrets'>,
  { fileId, signature, ...signed }: Signed & Record<'fileId' | 'signature', string>,
): boolean {
  if (!/^[0-9a-f]{64}$/.test(signature)) return false;
  const expected = signatureOf(keyOf(secrets, signed), fileId);
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) && signed.expires * 1000 > Date.now();
}

/** Whether a link has become older than the policy allows by now; never for those that members see in lists. */
export function isOutlived(issued: number | null, policy: unknown): boolean {
  return issued !== null && (issued + Math.max(linkSeconds(policy), READING_SECONDS)) * 1000 <= Date.now();
}

/** An answer with its files as links. An answer that names no file (a typed signature) stays as it is. */
export function withLinks(answer: JsonValue, links: () => FileLinks): JsonValue {
  const names = fileNamesIn(answer);
  if (names.length === 0) return answer;
  const { urlOf } = links();
  return names.map((name) => ({ file_url: urlOf(name), file_name: name }));
}

/** The names of files an answer holds. */
export function fileNamesIn(answer: JsonValue | undefined): string[] {
  const texts = Array.isArray(answer) ? answer : [answer];
  return texts.filter((text) => typeof text === 'string').filter((text) => fileIdOf(text) !== null);
}

/** What a link says that holds for all files. Times are seconds since 1970. */
interface Signed {
  formId: number;
  expires: number;
  /** null in links of earlier versions. */
  issued: number | null;
}

/** A key for one form and these moments: who learns it learns nothing about other keys. */
function keyOf(secrets: LinkSource['secrets'], { formId, expires, issued }: Signed): Buffer {
  const said = issued === null ? [formId, expires] : [formId, expires, issued];
  return Buffer.from(secrets.sign(said.join(':'), PURPOSE), 'hex');
}

function signatureOf(key: Buffer, id: string): string {
  return createHmac('sha256', key).update(id).digest('hex');
}

/** RFC 2104: the key, filled up with zeros, with every byte XORed with the pad. */
function padded(key: Buffer, pad: number): Buffer {
  return Buffer.concat([key, Buffer.alloc(BLOCK - key.length)]).map((byte) => byte ^ pad) as Buffer;
}
