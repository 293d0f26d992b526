import { complaintAboutBuiltFiles } from '../built-files.ts';
import { type Config, readConfig } from '../config.ts';
import { openPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { waitForDatabase } from '../db/wait-for-database.ts';
import { tidyHeap } from '../heap.ts';
import { createLog } from '../log.ts';
import { startProcessGroup } from '../start/process-group.ts';
import { logRejections, startService } from '../start/service.ts';
import { stopOnSignals } from '../start/shutdown.ts';
import { type CommandIo, UsageError } from './command.ts';
import { provideForCommand } from './open-database.ts';
import { readOptions } from './options.ts';
import { inPlainWords } from './plain-words.ts';
import { USAGES } from './usages.ts';

const USAGE = USAGES.serve.usage;

/** Each process needs 32 connections to the database; the embedded one has 300. */
const MAX_PROCESSES = 8;

/** Migrates the database and serves until a signal to stop. */
export async function run(args: string[], io: CommandIo): Promise<number> {
  const processes = processCount(args);
  // Output that cannot be written, as on a full disk, is no reason to end.
  process.stdout.removeAllListeners('error').on('error', () => {});
  const config = readConfig();
  const complaint = complaintAboutBuiltFiles();
  if (complaint !== null) io.err(complaint);
  const database = await provideForCommand(config, io.err, 0).catch((error) => {
    throw inPlainWords(error);
  });
  let hasStopped = true;
  try {
    const pool = openPool(database.connection, () => {}, { max: 2 });
    await waitForDatabase(pool, io.err)
      .then(() => migrate(pool, io.err))
      .finally(() => pool.end());
    const log = createLog(config);
    logRejections(log);
    database.supervise(log);
    const service =
      processes === 1
        ? await startService(config, database.connection, log, { drains: true })
        : await startProcessGroup(processes, database.connection, log);
    tidyHeap();
    // The new listeners before the old ones go, and both before anybody is told: a signal that finds none would be lost, or kill.
    const stopped = stopOnSignals(() => service.stop(), io.err);
    database.endInterruption();
    io.out(readyLine(config, service.url));
    hasStopped = await stopped;
    return 0;
  } catch (error) {
    throw inPlainWords(error);
  } finally {
    await database.release();
    // Unfinished work would keep the process alive. Its jobs are taken over like those of a killed process.
    if (!hasStopped) process.exit();
  }
}

/** @param url where the service listens, if anywhere */
function readyLine({ roles, baseUrl, webhookAllowedNetworks }: Config, url: string | null): string {
  const address = roles.has('http') ? (baseUrl ?? url) : null;
  const place = address === null ? 'as a worker' : `at ${address}`;
  const listens = url === address ? '' : `listens on ${url}, `;
  const networks = webhookAllowedNetworks.cidrs.join(', ');
  const reach = networks === '' ? 'public addresses only' : `public addresses and ${networks}`;
  return `Formstead is ready ${place} (${listens}webhooks reach ${reach}).`;
}

/** @throws UsageError */
function processCount(args: string[]): number {
  const { values } = readOptions(args, { processes: { type: 'string', default: '1' } }, USAGE);
  const count = Number(values.processes);
  if (!Number.isInteger(count) || count < 1 || count > MAX_PROCESSES)
    throw new UsageError(`--processes is a number from 1 to ${MAX_PROCESSES}.\nUsage: formstead ${USAGE}`);
  return count;
}
