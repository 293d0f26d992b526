import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, comparedTo, type Figure, ifPossible } from './figure.ts';
import { proportionalMemory } from './processes.ts';
import { databasePids } from './processor-time.ts';

/** Time for the service to tidy up after its start. */
const REST_MS = 1_500;
const MEGABYTE = 1024 * 1024;

/** Measures the time until the service is ready, and its resources at rest. */
export async function measureStart(bench: Bench): Promise<Figure[]> {
  const { scratch, settings } = bench;
  bench.tell('start');
  // It has run since the beginning of the benchmark.
  const first = (await scratch.serve('http,worker')).readyAfter;
  const [starts, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < settings.rounds; round++) {
    await scratch.stopService();
    bare.push(await startBareNode());
    starts.push((await scratch.serve('http,worker')).readyAfter);
  }
  const floor = figure('bare Node.js, start to end', bare);
  return [
    floor,
    figure('first start to ready, database created', [first]),
    comparedTo(figure('later start to ready', starts), floor),
    ...(await measureRest(bench)),
  ];
}

function figure(name: string, values: number[]): Figure {
  return { group: 'start', name, unit: 'ms', values };
}

async function startBareNode(): Promise<number> {
  const startedAt = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { env: {}, stdio: 'ignore' }), 'exit');
  return performance.now() - startedAt;
}

async function measureRest({ scratch }: Bench): Promise<Figure[]> {
  const { pid } = await scratch.serve('http,worker');
  await sleep(REST_MS);
  const base = { group: 'start', unit: 'MB' } as const;
  return [
    await ifPossible({ ...base, name: 'memory at rest, service' }, () => [
      proportionalMemory(pid) / MEGABYTE,
    ]),
    await ifPossible({ ...base, name: 'memory at rest, database' }, async () => {
      const pids = await databasePids(scratch);
      return [pids.reduce((sum, one) => sum + proportionalMemory(one), 0) / MEGABYTE];
    }),
  ];
}
