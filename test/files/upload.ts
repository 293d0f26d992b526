import { readdir } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import type { Answer, TestService } from '../setup/service.ts';

/** The smallest picture: one transparent pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const PDF = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n', 'latin1');

interface UploadOptions {
  headers?: Record<string, string>;
  /** Names the field in a part instead of the query. */
  fieldAsPart?: boolean;
  /** The content type that the sender claims. */
  type?: string;
}

/** Uploads one file as a browser does. */
export async function upload(
  service: TestService,
  form: { slug: string },
  field: string,
  content: Uint8Array | string,
  name: string,
  { headers = {}, fieldAsPart = false, type = 'application/octet-stream' }: UploadOptions = {},
): Promise<Answer> {
  const body = new FormData();
  if (fieldAsPart) body.set('field', field);
  body.set('file', new Blob([content as BlobPart], { type }), name);
  const query = fieldAsPart ? '' : `?field=${encodeURIComponent(field)}`;
  const response = await fetch(`${service.url}/forms/${form.slug}/files${query}`, {
    method: 'POST',
    body,
    headers,
  });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text, headers: response.headers };
}

/** The names of all uploaded files in the data directory of a service, including unfinished ones. */
export async function storedFiles({ dataDir }: { dataDir: string }): Promise<string[]> {
  const folder = join(dataDir, 'files', 'uploads');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** A hand-written upload: the head of its only part, then the content, as far as it is sent. */
export function openUpload(service: TestService, path: string) {
  const boundary = 'x-boundary';
  const request = httpRequest(service.url + path, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  });
  request.on('error', () => {});
  request.write(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n`);
  return { request, end: () => request.end(`\r\n--${boundary}--\r\n`) };
}
