import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../server/bench/run-bench.ts';

const MAIN = join(import.meta.dirname, '../../server/cli/main.ts');
/** Too short for the figures to mean anything; the test is that there are figures. */
const TINY = ['--only', 'intake', '--rounds', '1', '--seconds', '0.1', '--rows', '500'];

let directory: string;
const running: ChildProcess[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'formstead-bench-test-'));
  // As root, PostgreSQL runs as another user, who must be able to enter the folder.
  await chmod(directory, 0o711);
});
afterAll(async () => {
  for (const child of running) {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM'))
      await once(child, 'exit');
  }
  await rm(directory, { recursive: true, force: true });
});

test('everything acknowledged is stored and delivered, and nothing is left behind', {
  timeout: 300_000,
}, async () => {
  const child = bench([...TINY, '--json']);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  const report = JSON.parse(output) as Report;
  expect(report.machine).toMatchObject({ node: expect.any(String), fsync: 'on', synchronousCommit: 'on' });
  expect(report.settings).toEqual({ only: ['intake'], rounds: 1, seconds: 0.1, rows: 500, deliveries: 500 });
  const { rates = [], times = [] } = Object.groupBy(report.figures, ({ unit }) =>
    unit === '/s' ? 'rates' : 'times',
  );
  expect([rates.length, times.length]).toEqual([12, 2]);
  for (const { group, values, latency } of rates) {
    expect(group).toBe('intake');
    expect(values).toEqual([expect.any(Number)]);
    expect(latency).toEqual([{ p50: expect.any(Number), p99: expect.any(Number) }]);
  }
  // Only Linux reports the processor time of processes.
  if (process.platform === 'linux')
    for (const { group, unit, values } of times) {
      expect({ group, unit }).toEqual({ group: 'intake', unit: 'µs' });
      expect(values).toEqual([expect.any(Number)]);
    }
  const [floors, compared] = [rates.slice(0, 3), rates.slice(3)];
  expect(floors.map(({ ratio }) => ratio)).toEqual([undefined, undefined, undefined]);
  for (const { ratio } of compared) expect(floors.map(({ name }) => name)).toContain(ratio?.to);
  const [withoutWorker, severalProcesses, withWorker] = report.counts;
  for (const count of [withoutWorker, severalProcesses]) {
    expect(count?.acknowledged).toBeGreaterThan(0);
    expect(count).toMatchObject({ stored: count?.acknowledged, delivered: null });
  }
  expect(withWorker?.acknowledged).toBeGreaterThan(0);
  expect(withWorker).toMatchObject({
    stored: withWorker?.acknowledged,
    delivered: withWorker?.acknowledged,
  });
  expect(await readdir(directory)).toEqual([]);
});

test('a run that is stopped leaves nothing behind', async () => {
  const child = bench(TINY);
  const hints = createInterface({ input: child.stderr })[Symbol.asyncIterator]();
  // The service runs when the first figure begins.
  expect((await hints.next()).value).toMatch(/^… intake/);
  expect(await readdir(directory)).toHaveLength(1);
  child.kill('SIGINT');
  expect((await hints.next()).value).toBe('The benchmark was stopped.');
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await readdir(directory)).toEqual([]);
});

test('a figure that is not known is refused with the names of those that are', async () => {
  const child = bench(['--only', 'everything']);
  const [hint, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(hint).toContain('start,intake,delivery,export,lists');
  expect(code).toBe(2);
});

function bench(args: string[]) {
  // The benchmark must ignore a DATABASE_URL of its environment.
  const env = { ...process.env, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
  const child = spawn(process.execPath, [MAIN, 'bench', '--dir', directory, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  return child;
}
