import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
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

/** Asks how many bytes have arrived. */
export function ask(service: TestService, path: string): Promise<Answer> {
  return service.request('HEAD', path, { headers: VERSION });
}

export function end(service: TestService, path: string): Promise<Answer> {
  return service.request('DELETE', path, { headers: VERSION });
}

/**
 * Announces a part, sends only some of its bytes, and breaks the connection. Bytes the service has not read by then are lost,
 * so a busy machine gets more time.
 * @returns how many bytes of the file have arrived, more than `offset`
 */
export async function breakOff(
  service: TestService,
  path: string,
  offset: number,
  bytes: Uint8Array,
  announced: number,
): Promise<number> {
  for (let patienceMs = 50; ; patienceMs *= 2) {
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
    request.write(bytes);
    await pause(patienceMs);
    request.destroy();
    for (let tries = 0; tries < 20; tries++) {
      const arrived = Number((await ask(service, path)).headers.get('upload-offset'));
      if (arrived > offset) return arrived;
      await pause(patienceMs / 5);
    }
  }
}
