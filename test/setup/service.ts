import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../server/config.ts';
import type { Context } from '../../server/context.ts';
import { startService as start } from '../../server/start/service.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

export interface Answer<Body = any> {
  status: number;
  /** Parsed JSON, or undefined for other content. */
  body: Body;
  text: string;
  headers: Headers;
}

export interface RequestOptions {
  token?: string | undefined;
  /** Session cookie value as `name=value`. */
  cookie?: string | undefined;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestService {
  url: string;
  context: Context;
  database: TestDatabase;
  dataDir: string;
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** Settings on top of those of a silent service on a free port. */
  env?: Record<string, string>;
  /** The database of another service that this one shares. */
  database?: TestDatabase;
  /** With `database`, the directory of the service that owns it: it holds the key of the secrets. */
  dataDir?: string;
}

/** A new service in this process, with its own database and port. Rate limits are off, registration is open. */
export async function startService({
  env = {},
  database,
  dataDir,
}: ServiceOptions = {}): Promise<TestService> {
  const ownDatabase = database ?? (await createTestDatabase());
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'formstead-test-')));
  const config = readConfig({
    PORT: '0',
    DATA_DIR: folder,
    REGISTRATION: 'open',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    ...env,
  });
  const service = await start(config, ownDatabase.connection, pino({ level: config.logLevel }));
  const url = service.url ?? '';
  return {
    url,
    context: service.context,
    database: ownDatabase,
    dataDir: folder,
    request: (method, path, options) => request(url + path, method, options),
    async stop() {
      await service.stop();
      if (!database) await ownDatabase.drop();
      if (!dataDir) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls the API at this address. */
export async function request(url: string, method: string, options: RequestOptions = {}): Promise<Answer> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
  if (options.cookie !== undefined) headers.cookie = options.cookie;
  let body: string | undefined;
  if (options.body !== undefined) {
    body = typeof options.body === 'string' ? options.body : JSON.stringify(options.body);
    headers['content-type'] ??= 'application/json';
  }
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return {
    status: response.status,
    body: isJson && text !== '' ? JSON.parse(text) : undefined,
    text,
    headers: response.headers,
  };
}
