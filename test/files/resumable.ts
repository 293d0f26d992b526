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

/**
 * Sends bytes of a part that announces more of them, and breaks the connection off. What the service has not read by then is lost on
 * the way, so a busy machine is given more time.
 * @returns bytes that have arrived of the file, more than `offset`
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
