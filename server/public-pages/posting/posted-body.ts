import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Posted } from '../../../fields/html/read-post.ts';
import { storageProblem } from '../../../fields/storable.ts';
import { bodyTooLarge, HttpError, invalid } from '../../http/errors.ts';
import { asMultipartError, installMultipart } from '../../http/request/multipart.ts';
import { type FilePart, partsOf } from '../../http/request/multipart-parts.ts';
import { takeTime } from '../../http/request/slow-uploads.ts';

/** For each name all its values, in order. Has no prototype. */
export type PostedBody = Record<string, string[]>;

/** The encodings in which an HTML form can be sent. */
export const FORM_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data'];

/** Parts of a post; each repeated question of a form may need a thousand inputs. */
const MAX_PARTS = 10_000;
/** Files of a post, each of which takes a transaction and a place in the store: enough for five answers. */
const MAX_FILES = 500;
const MAX_TEXT_BYTES = 1024 * 1024;
/** Limit for a post without files; this encoding takes at most three bytes for one. */
export const MAX_POST_BYTES = 4 * MAX_TEXT_BYTES;
const BEYOND_ASCII = /(?:%[89a-f][\da-f])+/gi;

/** Lets the routes of this scope accept what an HTML form sends, and nothing else. */
export async function installFormParsers(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers();
  await installMultipart(scope);
  addUrlEncodedParser(scope);
}

/** For routes that take everything they need from the address: any body is accepted. */
export function ignoreBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, _body, done) => done(null));
}

/** Parses `application/x-www-form-urlencoded` into a `PostedBody`. */
export function addUrlEncodedParser(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, bytes: Buffer) => {
      const text = bytes.toString('utf8');
      if (!isUtf8(bytes) || !isEscapedUtf8(text))
        throw new HttpError(400, 'The request body is not valid UTF-8.');
      return parseUrlEncoded(text);
    },
  );
}

/**
 * Reads everything that an HTML form sent. `onFile` gets each chosen file as it arrives, must read it to its end, and returns the
 * text that stands for it, or null for none.
 * @throws HttpError 400, 413 or 422 if the body is malformed, too large or cannot be stored
 */
export async function readPostedBody(
  request: FastifyRequest,
  onFile: (file: FilePart & { name: string }) => Promise<string | null>,
): Promise<PostedBody> {
  if (!request.isMultipart()) return (request.body ?? Object.create(null)) as PostedBody;
  const body: PostedBody = Object.create(null);
  // Files may take longer to arrive than other requests.
  const giveUp = takeTime(request);
  await readParts(request, body, onFile).catch((error: unknown) => {
    giveUp();
    throw asMultipartError(error);
  });
  const problem = bodyProblem(body);
  if (problem !== null) throw invalid({ body: [problem] });
  return body;
}

/** Checks names and values; unlike JSON, a post has no limit on members. */
function bodyProblem(body: PostedBody): string | null {
  for (const [name, values] of Object.entries(body)) {
    const problem = storageProblem(name) ?? storageProblem(values);
    if (problem !== null) return problem;
  }
  return null;
}

async function readParts(
  request: FastifyRequest,
  body: PostedBody,
  onFile: (file: FilePart & { name: string }) => Promise<string | null>,
): Promise<void> {
  const limits = { parts: MAX_PARTS, files: MAX_FILES, bytes: MAX_TEXT_BYTES };
  for await (const part of partsOf(request, limits)) {
    const { name } = part;
    if ('file' in part) {
      // Without a file name no file was chosen.
      const isFile = name !== undefined && part.fileName !== '';
      const reference = isFile ? await onFile({ ...part, name }) : null;
      if (!isFile) part.file.resume();
      if (isFile && reference !== null) addValue(body, name, reference);
      continue;
    }
    if (name !== undefined) addValue(body, name, part.text);
  }
}

/** Pages in another encoding escape their bytes, which `URLSearchParams` would turn into U+FFFD. */
function isEscapedUtf8(text: string): boolean {
  try {
    for (const [escapes] of text.matchAll(BEYOND_ASCII)) decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}

/** WHATWG URL, application/x-www-form-urlencoded parsing. */
function parseUrlEncoded(text: string): PostedBody {
  // Before they are taken apart: four megabytes may be two million of them.
  if (text.split('&', MAX_PARTS + 1).length > MAX_PARTS) throw tooManyInputs();
  const body: PostedBody = Object.create(null);
  let bytes = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
    addValue(body, name, value);
  }
  if (bytes > MAX_TEXT_BYTES) throw bodyTooLarge(MAX_TEXT_BYTES);
  return body;
}

function tooManyInputs(): HttpError {
  return new HttpError(413, `The request body may not have more than ${MAX_PARTS} inputs.`);
}

function addValue(body: PostedBody, name: string, value: string): void {
  const values = body[name];
  if (values === undefined) body[name] = [value];
  else values.push(value);
}

/** The values by name. Names of fields may differ in case and outer spaces on other sites; on our page they are exact. */
export function postedValues(body: PostedBody, isOwnPage: boolean): Posted {
  if (isOwnPage) return { getAll: (name) => (Object.hasOwn(body, name) && body[name]) || [] };
  const byPlainName = new Map(Object.keys(body).map((name) => [plainName(name), name]));
  return {
    getAll(name) {
      const sentAs = Object.hasOwn(body, name) ? name : byPlainName.get(plainName(name));
      return (sentAs !== undefined && body[sentAs]) || [];
    },
  };
}

/** A name of a field in any letter case. */
export function plainName(name: string): string {
  return name.trim().toLowerCase();
}
