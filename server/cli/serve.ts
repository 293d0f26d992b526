import { readConfig } from '../config.ts';
import { openPool } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { waitForDatabase } from '../db/wait-for-database.ts';
import { createLog } from '../log.ts';
import { provideDatabase } from '../start/provide-database.ts';
import { startService } from '../start/service.ts';
import { stopOnSignals } from '../start/shutdown.ts';
import type { CommandIo } from './command.ts';
import { inPlainWords } from './plain-words.ts';

/** How long a balancer has to notice that this process is leaving, before new connections are refused. */
const DRAIN_MS = 1_000;

/** Migrates the database and serves until a signal says to stop. */
export async function run(_args: string[], io: CommandIo): Promise<number> {
  const config = readConfig();
  const database = await provideDatabase(config, io.err);
  try {
    const pool = openPool(database.connection, () => {}, { max: 2 });
    await waitForDatabase(pool, io.err)
      .then(() => migrate(pool))
      .finally(() => pool.end());
    const log = createLog(config);
    // A library that forgets a promise must not end the service; whoever made the request has been answered.
    process.on('unhandledRejection', (err) => log.error({ err }, 'a rejection nobody handled'));
    database.supervise(log);
    const service = await startService(config, database.connection, log, DRAIN_MS);
    const networks = config.webhookAllowedNetworks.cidrs.join(', ');
    const reach = networks === '' ? 'public addresses only' : `public addresses and ${networks}`;
    const place = service.url ? `at ${config.baseUrl ?? service.url}` : 'as a worker';
    io.out(`Formstead is ready ${place} (webhooks reach ${reach}).`);
    await stopOnSignals(() => service.stop(), io.err);
    return 0;
  } catch (error) {
    throw inPlainWords(error);
  } finally {
    await database.release();
  }
}
