import { type Bench, type Figure, ifPossible } from './figure.ts';
import { childrenOf, parentOf, processorSeconds } from './processes.ts';
import { backendPid } from './queries.ts';
import type { Scratch } from './scratch.ts';
import type { LoadResult } from './submit-load.ts';

/** Processor time per submission: the figure that depends least on other work of the machine. */
export function processorTime(
  { settings }: Bench,
  whose: string,
  processes: () => number[] | Promise<number[]>,
  run: (seconds: number) => Promise<LoadResult>,
): Promise<Figure> {
  const name = `processor time for one of these, ${whose}`;
  return ifPossible({ group: 'intake', name, unit: 'µs' }, async () => {
    const pids = await processes();
    const spent = () => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
    const values: number[] = [];
    for (let round = 0; round < settings.rounds; round++) {
      const before = spent();
      const { acknowledged } = await run(settings.seconds);
      values.push(((spent() - before) / acknowledged) * 1_000_000);
    }
    return values;
  });
}

/** The processes of the embedded PostgreSQL. @throws Error without one, or when the platform does not tell */
export async function databasePids(scratch: Scratch): Promise<number[]> {
  if (!scratch.isEmbedded) throw new Error('the database is not of this run');
  const postmaster = parentOf(await backendPid(scratch.db()));
  return [postmaster, ...childrenOf(postmaster)];
}
