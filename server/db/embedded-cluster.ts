import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, readFile, realpath, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { hasCode, makeDirectory, nullWhenMissing, syncDirectory } from '../file-system.ts';
import type { PostgresBinaries } from './embedded-binaries.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { forbiddenDirectory, type SystemUser, userForPostgres } from './embedded-user.ts';
import { fitsSocket } from './socket-path.ts';

/** The major version of the pinned packages; a cluster belongs to one major version. */
const MAJOR_VERSION = '18';
const SOCKET_NAME = '.s.PGSQL.5432';
const run = promisify(execFile);

/** The one user and database of an embedded cluster. */
export const DATABASE_NAME = 'formstead';

/** Where everything of one embedded PostgreSQL lies. */
export interface ClusterPlace {
  dataDir: string;
  /** `<dataDir>/postgres`. It holds all the rest, except the socket directory when its path would be too long. */
  home: string;
  cluster: string;
  socketDirectory: string;
  logFile: string;
  user: SystemUser | null;
}

/** Only computes the paths; nothing is created. */
export async function findCluster(dataDir: string): Promise<ClusterPlace> {
  const directory = await realpath(resolve(dataDir)).catch(() => resolve(dataDir));
  const home = join(directory, 'postgres');
  const cluster = join(home, MAJOR_VERSION);
  const user = await userForPostgres(cluster);
  return {
    dataDir: directory,
    home,
    cluster,
    socketDirectory: await chooseSocketDirectory(directory, home, user),
    logFile: join(home, 'postgres.log'),
    user,
  };
}

async function chooseSocketDirectory(
  dataDir: string,
  home: string,
  user: SystemUser | null,
): Promise<string> {
  const inside = join(home, 'socket');
  if (fits(inside)) return inside;
  const name = `formstead-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const temporary = join(tmpdir(), name);
  const usable = fits(temporary) && (user === null || (await forbiddenDirectory(tmpdir(), user)) === null);
  return usable ? temporary : join('/tmp', name);
}

function fits(directory: string): boolean {
  return fitsSocket(join(directory, SOCKET_NAME));
}

/** Creates the directories around the cluster, private to the user PostgreSQL runs as. */
export async function prepareDirectories(dataDir: string): Promise<ClusterPlace> {
  await makeDirectory(resolve(dataDir));
  const place = await findCluster(dataDir);
  if (place.user) await openTheWay(place.dataDir, place.user);
  await makePrivate(place.home, place.user);
  await makePrivate(place.socketDirectory, place.user);
  return place;
}

/** If the service is root, PostgreSQL runs as another user, who must be able to pass through the data directory, but not list it. */
async function openTheWay(dataDir: string, user: SystemUser): Promise<void> {
  const forbidden = await forbiddenDirectory(dataDir, user);
  if (forbidden === null) return;
  if (forbidden !== dataDir) {
    throw new EmbeddedPostgresError(
      `PostgreSQL never runs as root, and user ${user.uid}, as which it runs instead, may not enter ${forbidden}: ` +
        'set DATA_DIR to a directory outside it, such as /var/lib/formstead, or start Formstead as an ordinary user.',
    );
  }
  const { mode } = await lstat(dataDir);
  await chmod(dataDir, (mode & 0o7777) | 0o001);
}

async function makePrivate(directory: string, user: SystemUser | null): Promise<void> {
  const made = await mkdir(directory, { mode: 0o700 }).then(
    () => true,
    (error: unknown) => {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    },
  );
  const owner = user?.uid ?? process.getuid?.();
  if (made && user) await chown(directory, user.uid, user.gid);
  const found = await lstat(directory);
  if (!found.isDirectory() || found.uid !== owner) {
    throw new EmbeddedPostgresError(
      `${directory} belongs to user ${found.uid} instead of ${owner}: start Formstead as the user who started it first, ` +
        `or give it away with chown -R ${owner} ${directory}.`,
    );
  }
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700);
}

/** Runs initdb unless the cluster exists. The cluster gets its name only when complete, so an interrupted initdb is simply redone. */
export async function initializeCluster(place: ClusterPlace, binaries: PostgresBinaries): Promise<void> {
  const version = await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch(nullWhenMissing);
  if (version !== null) return;
  if (await lstat(place.cluster).catch(() => null)) {
    throw new EmbeddedPostgresError(
      `${place.cluster} is not a PostgreSQL cluster (PG_VERSION is missing): restore it from a backup, or move it away to start empty.`,
    );
  }
  const draft = `${place.cluster}.draft`;
  await rm(draft, { recursive: true, force: true });
  await run(binaries.initdb, ['-D', draft, '-U', DATABASE_NAME, ...initdbFlags()], {
    ...place.user,
    cwd: place.home,
    env: { LC_ALL: 'C', TZ: 'UTC' },
  }).catch((error: Error & { stderr?: string }) => {
    throw new Error(error.stderr || error.message);
  });
  await rename(draft, place.cluster);
  await syncDirectory(dirname(place.cluster));
}

function initdbFlags(): string[] {
  // The builtin provider sorts; the C library's character classes serve extensions only, and macOS has no C.UTF-8.
  const characterClasses = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  return [
    '--auth=trust',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    `--lc-ctype=${characterClasses}`,
    '--no-instructions',
  ];
}
