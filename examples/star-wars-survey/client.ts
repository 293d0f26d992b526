import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** What this example does, and no more than that. */
const ABILITIES = ['workspaces-write', 'forms-read', 'forms-write', 'manage-integrations'];
/** Times a request is sent again when the service says that it is busy (429, 503). */
const MAX_RETRIES = 100;

export interface Reply {
  headers: Headers;
  text: string;
  /** Read as JSON when it is JSON. */
  body: Record<string, unknown>;
}

export interface Client {
  /** @throws Error for every status that is not 2xx */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
}

/** Talks JSON with the service at `url`; fetch keeps its connections open. */
export function connect(url: string, credentials: Record<string, string> = {}): Client {
  return {
    async send(method, path, body, headers = {}) {
      const init = {
        method,
        headers: {
          ...credentials,
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      };
      for (let retries = 0; ; retries++) {
        const response = await fetch(new URL(path, url), init);
        const text = await response.text();
        if (response.ok) return { headers: response.headers, text, body: readBody(response.headers, text) };
        const isBusy = response.status === 429 || response.status === 503;
        if (!isBusy || retries === MAX_RETRIES)
          throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
        await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
      }
    },
  };
}

/** Registers an account of its own and makes an access token with it. */
export async function createToken(url: string): Promise<string> {
  const person = {
    name: 'Star Wars example',
    email: `star-wars-${randomUUID()}@example.com`,
    password: randomUUID(),
  };
  const registered = await connect(url).send('POST', '/register', person);
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const body = { name: 'Star Wars example', abilities: ABILITIES };
  const made = await connect(url, { cookie }).send('POST', '/settings/tokens', body);
  return String(made.body.token);
}

function readBody(headers: Headers, text: string): Record<string, unknown> {
  return headers.get('content-type')?.includes('json') && text !== '' ? JSON.parse(text) : {};
}
