import { CommandError } from '../cli/command.ts';
import { measureDelivery } from './delivery-figure.ts';
import { measureExport } from './export-figure.ts';
import {
  type Bench,
  type Count,
  FIGURE_NAMES,
  type Figure,
  type FigureName,
  type Settings,
} from './figure.ts';
import { measureIntake } from './intake-figure.ts';
import { measureLists } from './lists-figure.ts';
import { startLoad } from './load-client.ts';
import { currentLoad, describeMachine, type Machine, requireSpace } from './machine.ts';
import { measurePages } from './pages-figure.ts';
import { bringLogFilesRound } from './queries.ts';
import { createScratch } from './scratch.ts';
import { measureStart } from './start-figure.ts';

export interface Report {
  measuredAt: string;
  machine: Machine;
  settings: Settings;
  figures: Figure[];
  counts: Count[];
}

const FIGURES: Record<FigureName, (bench: Bench) => Promise<Figure[]>> = {
  start: measureStart,
  intake: measureIntake,
  delivery: measureDelivery,
  export: measureExport,
  lists: measureLists,
  pages: measurePages,
};

/**
 * Disk space for the binaries, PostgreSQL's log files, and submissions; for each row to read, its index entries, log and
 * file.
 */
const BASE_BYTES = 3 * 1024 ** 3;
const BYTES_PER_ROW = 4_000;

/**
 * Measures on a separate installation, which is removed even when a signal ends the run.
 * @param place a directory for the data, and a PostgreSQL to use instead of the embedded one
 * @throws CommandError
 */
export async function runBench(
  settings: Settings,
  place: { directory: string; databaseUrl: string | null },
  tell: (line: string) => void,
): Promise<Report> {
  const loadBefore = currentLoad();
  await requireSpace(place.directory, BASE_BYTES + settings.rows * BYTES_PER_ROW);
  const scratch = await createScratch(place.directory, place.databaseUrl);
  const load = startLoad();
  const signals = hearSignals();
  try {
    const measured = measure();
    return await Promise.race([measured, signals.interruption]);
  } finally {
    load.stop();
    await scratch.remove();
    signals.stop();
  }

  async function measure(): Promise<Report> {
    const receiverUrl = await load.run('receiverUrl', null);
    const bench: Bench = { settings, scratch, load, receiverUrl, counts: [], tell };
    await scratch.serve('http,worker');
    const machine = await describeMachine(scratch.db(), place.directory, loadBefore);
    const figures: Figure[] = [];
    const names = FIGURE_NAMES.filter((name) => settings.only.includes(name));
    // The database at rest is measured while it is new.
    const firstLoad = names.find((name) => name !== 'start');
    for (const name of names) {
      if (name === firstLoad && scratch.isEmbedded) await bringLogFilesRound(scratch.connection());
      figures.push(...(await FIGURES[name](bench)));
    }
    return { measuredAt: new Date().toISOString(), machine, settings, figures, counts: bench.counts };
  }
}

/** Ctrl-C ends the run, not the process, which has to tidy up. */
function hearSignals() {
  const { promise, reject } = Promise.withResolvers<never>();
  const onSignal = () => reject(new CommandError('The benchmark was stopped.'));
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const name of names) process.on(name, onSignal);
  return {
    interruption: promise,
    stop() {
      for (const name of names) process.off(name, onSignal);
    },
  };
}
