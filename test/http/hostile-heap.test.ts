import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Installation, install, type ServiceProcess } from '../faults/service-process.ts';
import { useHome } from '../setup/home.ts';
import type { TestService } from '../setup/service.ts';
import { until } from '../setup/until.ts';
import { exchange, type HostileRequest, registeredRoutes, sendHostile } from './hostile-client.ts';
import {
  BODIES,
  BROKEN_SEGMENTS,
  CONTENT_TYPES,
  HEADER_VALUES,
  SEGMENTS,
  TEXTS,
  VALUES,
} from './hostile-corpus.ts';

/** What clients send must not stay in the memory of the process: no unbounded cache, no listener left behind. */
const HEAP_MB = 96;
/** Requests per round, and rounds until everything is in memory that is kept on purpose. */
const ROUND = 1_200;
const WARM_UP = 2;
const ROUNDS = 4;
/** Bytes per request: a leak of its path, key or body would be more. */
const LEAKED_BYTES = 400;
const AT_ONCE = 8;
const NO_ANSWER = 0;

const home = useHome();
let installation: Installation;
let service: ServiceProcess;
let target: TestService;
let routes: RouteOptions[];
let slug: string;
beforeAll(async () => {
  const { host, port, user, database } = home.service.database.connection as Record<string, string>;
  installation = await install({
    DATABASE_URL: `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host ?? '')}`,
    LOG_LEVEL: 'silent',
  });
  // Both processes belong to one installation.
  await copyFile(join(home.service.dataDir, 'secret.key'), join(installation.dataDir, 'secret.key'));
  service = await installation.start({
    nodeArguments: [
      `--max-old-space-size=${HEAP_MB}`,
      '--expose-gc',
      '--import',
      `${import.meta.dirname}/preload-gc.ts`,
    ],
  });
  target = { ...home.service, url: service.url };
  routes = await registeredRoutes(home.service.context);
  slug = (await home.form({ enable_partial_submissions: true })).slug;
});
afterAll(() => installation?.remove());

test('many thousand hostile requests of every kind leave nothing in a small heap', async () => {
  const statuses = new Map<number, number>();
  const heaps: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    await sendRound(round, statuses);
    if (round >= WARM_UP - 1) heaps.push(await heapInUse());
  }
  expect(service.isRunning(), service.output()).toBe(true);
  const odd = [...statuses].filter(([status]) => status >= 500 && status !== 503);
  expect(odd).toEqual([]);
  expect(statuses.get(NO_ANSWER) ?? 0).toBeLessThan(ROUND / 100);
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(ROUND * (WARM_UP + ROUNDS));
  const [first = 0, last = 0] = [heaps[0], heaps.at(-1)];
  const allowed = LEAKED_BYTES * ROUND * ROUNDS;
  expect(last - first, `bytes in use after each round: ${heaps.join(', ')}`).toBeLessThan(allowed);
}, 300_000);

async function heapInUse(): Promise<number> {
  const said = () => [...service.output().matchAll(/heap in use: (\d+)/g)];
  const before = said().length;
  service.child.kill('SIGUSR2');
  await until(() => said().length > before, { what: 'the size of the heap' });
  return Number(said().at(-1)?.[1]);
}

async function sendRound(round: number, statuses: Map<number, number>): Promise<void> {
  let next = 0;
  const sendThem = async () => {
    while (next < ROUND) {
      const n = round * ROUND + next++;
      // Other tests check how long an answer may take.
      const { status } = await sendHostile(target, hostile(n)).catch(() => ({ status: NO_ANSWER }));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (n % 25 === 0) await exchange(target, broken(n), { quietMs: 100, answerMs: 300 });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sendThem));
}

/** The nth request: it varies route, kind and piece of the corpus, and no two are alike. */
function hostile(n: number): HostileRequest {
  const route = routes[n % routes.length] as RouteOptions;
  const method = String(route.method);
  const kind = Math.floor(n / routes.length);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'idempotency-key': `key ${n}`,
    'user-agent': `client ${n}`,
    ...(n % 3 > 0 && route.url !== '/logout' && { authorization: `Bearer ${home.ada.token}` }),
  };
  const segment = pick([...SEGMENTS, ...BROKEN_SEGMENTS], n);
  const isAnswer = route.url.startsWith('/forms/:form');
  // Half of the paths name something that exists, to test the code behind the look-up; nothing that exists is removed.
  const path = route.url.replace(/:(\w+)/g, (_, name) => {
    if (kind % 2 === 0) return `${segment}`;
    return isAnswer && name === 'form' ? slug : `${900_000 + n}`;
  });
  const query = pick(
    TEXTS.filter((text) => text.length < 5_000),
    kind,
  );
  const address = `${path}?n=${n}&${encodeURIComponent(`q${n}`)}=${encodeURIComponent(query.toWellFormed())}`;
  if (method === 'GET') return { method, path: address, headers: { ...headers, accept: accepted(n) } };
  const bodies: (string | Buffer)[] = [
    `{"member ${n}":${pick(VALUES, kind)}}`,
    pick(BODIES, kind),
    gzipSync(`{"n":${n}}`),
    `{"${n}":`,
  ];
  const name = pick(['form-password', 'cookie', 'x-forwarded-for', 'origin', 'range'], n);
  return {
    method,
    path: address,
    headers: {
      ...headers,
      ...(kind % 5 === 0 && { 'content-type': pick(CONTENT_TYPES, n) }),
      ...(kind % 7 === 0 && { [name]: pick(HEADER_VALUES, n) }),
    },
    body: pick(bodies, kind),
  };
}

function accepted(n: number): string {
  return n % 2 ? 'text/html' : 'application/json';
}

/** Bytes that no HTTP client sends. */
function broken(n: number): string {
  const start = `POST /forms/${slug}/answer?n=${n} HTTP/1.1\r\nHost: x\r\n`;
  return pick(
    [
      `${start}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${start}Content-Length: 500\r\nContent-Type: application/json\r\n\r\n{"half ${n}`,
      `GET /livez?${n} HTTP/1.1\r\nHost: x\r\n${'X-A: y\r\n'.repeat(3_000)}\r\n`,
      `${n} nonsense\r\n\r\n`,
      `${start}X-${n}: `,
    ],
    Math.floor(n / 25),
  );
}

function pick<T>(items: readonly T[], n: number): T {
  return items[n % items.length] as T;
}
