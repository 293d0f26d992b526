import { request as httpRequest } from 'node:http';
import type { Answer, TestService } from '../setup/service.ts';

export const PART_TYPE = 'application/offset+octet-stream';
const VERSION = { 'tus-resumable': '1.0.0' };

/** `filename` as tus sends it. */
export function named(name: string): Record<string, string> {
  return { 'upload-metadata': `filename ${Buffer.from(name).toString('base64')}` };
}

/** Announces a file. */
export function begin(
  service: TestService,
  form: { slug: string },
  field: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const path = `/forms/${form.slug}/uploads?field=${encodeURIComponent(field)}`;
  return service.request('POST', path, { headers: { ...VERSION, ...headers } });
}

/** Sends some bytes of it. */
export async function send(
  service: TestService,
  path: string,
  offset: number,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(service.url + path, {
    method: 'PATCH',
    headers: { ...VERSION, 'content-type': PART_TYPE, 'upload-offset': String(offset), ...headers },
    body: bytes as BodyInit,
  });
  const text = await response.text();
  return { status: response.status, body: text && JSON.parse(text), text, headers: response.headers };
}

/** Asks how much has arrived. */
export function ask(service: TestService, path: string): Promise<Answer> {
  return service.request('HEAD', path, { headers: VERSION });
}

export function end(service: TestService, path: string): Promise<Answer> {
  return service.request('DELETE', path, { headers: VERSION });
}

/** Sends bytes of a part that announces more of them, and breaks the connection off when they are on their way. */
export async function breakOff(
  service: TestService,
  path: string,
  offset: number,
  bytes: Uint8Array,
  announced: number,
): Promise<void> {
  const request = httpRequest(service.url + path, {
    method: 'PATCH',
    headers: {
      ...VERSION,
      'content-type': PART_TYPE,
      'upload-offset': String(offset),
      'content-length': String(announced),
    },
  });
  request.on('error', () => {});
  await new Promise<void>((resolve) => request.write(bytes, () => resolve()));
  // What was written has left the process; the break follows it on the same connection.
  await new Promise((resolve) => setTimeout(resolve, 50));
  request.destroy();
}
