import { rmdir } from 'node:fs/promises';
import { preparePostgresBinaries } from './embedded-binaries.ts';
import { type ClusterPlace, findCluster, initializeCluster, prepareDirectories } from './embedded-cluster.ts';
import { explainFailure } from './embedded-error.ts';
import {
  boundLog,
  type EmbeddedConnection,
  findRunning,
  findSurvivor,
  finishShutdown,
  startServer,
  stopServer,
} from './embedded-server.ts';
import { isRunning } from './processes.ts';

export interface EmbeddedPostgres {
  connection: EmbeddedConnection;
  /** Whether its process still runs. */
  isRunning(): boolean;
  /** Lets it end at once if somebody has asked it to stop; to be called now and then while it runs. */
  finishShutdown(): Promise<void>;
  /** Begins its log anew when it is long; to be called now and then while it runs. */
  boundLog(): Promise<void>;
  /** Stops the server cleanly and waits until it is gone. */
  stop(): Promise<void>;
  /** Whether the server was not started but found running, left behind by a service that was killed. */
  adopted: boolean;
}

/**
 * Starts (or adopts) the PostgreSQL of this data directory; creates directory and cluster when missing. The caller holds the lock
 * of the data directory. A process that ends without `stop` leaves the server running, for the next start to adopt.
 * @param tell hears why the start takes long
 * @throws EmbeddedPostgresError with one plain line that says what to do
 */
export async function startEmbeddedPostgres(
  dataDir: string,
  tell: (line: string) => void = () => {},
): Promise<EmbeddedPostgres> {
  try {
    const place = await prepareDirectories(dataDir);
    const survivor = await findSurvivor(place, tell);
    if (survivor) return handle(place, survivor, { adopted: true });
    const binaries = await preparePostgresBinaries(place.home, place.user);
    await initializeCluster(place, binaries);
    const server = await startServer(place, binaries.postgres, tell);
    return handle(place, server, { adopted: false });
  } catch (error) {
    throw explainFailure(error, dataDir);
  }
}

/** The connection of the server that already runs in dataDir, or null. For commands that are used while the service runs. */
export async function runningEmbeddedPostgres(dataDir: string): Promise<EmbeddedConnection | null> {
  try {
    return await findRunning(await findCluster(dataDir));
  } catch (error) {
    throw explainFailure(error, dataDir);
  }
}

function handle(
  place: ClusterPlace,
  { connection, pid }: { connection: EmbeddedConnection; pid: number },
  { adopted }: { adopted: boolean },
): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  return {
    connection,
    adopted,
    isRunning: () => isRunning(pid),
    finishShutdown: () => finishShutdown(place, pid),
    boundLog: () => boundLog(place),
    stop() {
      stopping ??= stopServer(pid).then(() => removeTemporarySocketDirectory(place));
      return stopping;
    },
  };
}

/** A socket directory outside the data directory is not left behind. */
async function removeTemporarySocketDirectory({ home, socketDirectory }: ClusterPlace): Promise<void> {
  if (!socketDirectory.startsWith(home)) await rmdir(socketDirectory).catch(() => undefined);
}
