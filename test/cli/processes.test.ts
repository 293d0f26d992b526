import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { runningEmbeddedPostgres } from '../../server/db/embedded-postgres.ts';
import { aStuckJob } from '../setup/stuck-job.ts';
import { until } from '../setup/until.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
const REQUESTS = 40;
const VISITORS = 8;
/** Ends a request that hangs, so that the failure names it. */
const ANSWER_MS = 60_000;

let dataDir: string;
let service: ReturnType<typeof serve>;
let url: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'formstead-processes-'));
  // As root, PostgreSQL runs as another user, who must be able to pass through.
  await chmod(dataDir, 0o711);
});
beforeEach(async () => {
  if (service?.exitCode === null) return;
  service = serve(['--processes', '2']);
  url = await ready(service);
});
afterAll(async () => {
  if (service.exitCode === null && service.kill('SIGTERM')) await once(service, 'exit');
  await rm(dataDir, { recursive: true, force: true });
});

test('several processes answer at one address, and one that dies is replaced', async () => {
  const members = membersOf(service);
  expect(members).toHaveLength(2);
  expect(await processesThatAnswer(url)).toBe(2);

  const visits = visitorsOf(url);
  process.kill(members[0]!, 'SIGKILL');
  await until(() => membersOf(service).length === 2 && !membersOf(service).includes(members[0]!), {
    what: 'another process',
  });
  // Connections to the dead process are cut, so no visitor waits for ever.
  expect(new Set(await visits.end())).toEqual(new Set([200]));
  await until(async () => (await processesThatAnswer(url)) === 2, { what: 'both' });
});

test('a number of processes that is none is refused', async () => {
  const refused = ['0', '9', 'two', '1.5'].map(async (count) => {
    const child = serve(['--processes', count]);
    const [[code], text] = await Promise.all([once(child, 'exit'), textOf(child.stderr)]);
    expect(text).toContain('--processes is a number from 1 to 8.');
    expect(code).toBe(2);
  });
  await Promise.all(refused);
});

test('a port that is taken ends the start with one line', async () => {
  const { port } = new URL(url);
  const other = join(dataDir, 'other');
  const child = serve(['--processes', '2'], { PORT: port, DATA_DIR: other });
  const [[code], text] = await Promise.all([once(child, 'exit'), textOf(child.stderr)]);
  expect(text).toMatch(/^Something else listens on .*Set PORT to another port\.\n$/);
  expect(code).toBe(1);
});

test('a stop ends all of them, none before its requests are answered', async () => {
  const members = membersOf(service);
  const requests = await Promise.all(Array.from({ length: REQUESTS }, () => sent(`${url}/livez`)));
  service.kill('SIGTERM');
  const statuses = await Promise.all(requests.map(({ status }) => status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  const [code] = await once(service, 'exit');
  expect(code).toBe(0);
  for (const pid of members) expect(isRunning(pid)).toBe(false);
});

test('a second signal ends all of them, whatever they wait for', async () => {
  const members = membersOf(service);
  const job = await aStuckJob((await runningEmbeddedPostgres(dataDir)) ?? {});
  service.kill('SIGTERM');
  await until(
    () =>
      fetch(`${url}/livez`).then(
        () => false,
        () => true,
      ),
    { what: 'the end of the HTTP side' },
  );
  service.kill('SIGTERM');
  expect(await once(service, 'exit')).toEqual([0, null]);
  await job.free();
  await until(() => !members.some(isRunning), { what: 'the end of all processes' });
});

function serve(args: string[], env: Record<string, string> = {}) {
  const { DATABASE_URL: _, BASE_URL: __, ...rest } = process.env;
  return spawn(process.execPath, [MAIN, 'serve', ...args], {
    env: { ...rest, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ready(child: { stdout: NodeJS.ReadableStream }): Promise<string> {
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/[\d.]+:\d+/.exec(line) ?? [];
    if (url !== undefined) {
      child.stdout.resume();
      return url;
    }
  }
  throw new Error('The service ended before it was ready.');
}

/** Sends a request on a new connection. @returns once it has left this process */
async function sent(url: string): Promise<{ status: Promise<number | undefined> }> {
  const request = get(url, { agent: false });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.once('response', (response) => resolve(response.resume().statusCode));
    request.once('error', reject);
  });
  await once(request, 'finish');
  return { status };
}

/** Visitors who ask again and again until `end`, which returns their statuses; a connection that is cut gives none. */
function visitorsOf(url: string): { end(): Promise<number[]> } {
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  const visitors = Array.from({ length: VISITORS }, async () => {
    while (!isOver) {
      const visit = fetch(`${url}/livez`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await visit.then(
        ({ status }) => statuses.push(status),
        (error: Error) => {
          if (error.name === 'TimeoutError') throw error;
        },
      );
    }
  });
  return {
    async end() {
      isOver = true;
      await Promise.all(visitors);
      return statuses;
    },
  };
}

/** Each process counts its answers: a count that is one higher than a known one is the same process, any other is a new one. */
async function processesThatAnswer(url: string): Promise<number> {
  const counts: number[] = [];
  for (let asked = 0; asked < REQUESTS; asked++) {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(`${url}/metrics`, { headers: { connection: 'close' }, signal });
    const lines = (await answer.text()).matchAll(
      /^formstead_http_request_duration_seconds_count\S* (\d+)$/gm,
    );
    const count = [...lines].reduce((sum, [, text]) => sum + Number(text), 0);
    const known = counts.indexOf(count - 1);
    if (known < 0) counts.push(count);
    else counts[known] = count;
  }
  return counts.length;
}

/** The Node.js processes that this one has started. */
function membersOf({ pid }: ChildProcess): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => {
      const [, rest = ''] = statOf(candidate).split(') ');
      return Number(rest.split(' ')[1]) === pid && commandOf(candidate).includes('group-member');
    });
}

function statOf(pid: number): string {
  return readOr(`/proc/${pid}/stat`);
}

function commandOf(pid: number): string {
  return readOr(`/proc/${pid}/cmdline`);
}

/** Empty when the process has ended. */
function readOr(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  return commandOf(pid).includes('group-member');
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}
