import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The system user PostgreSQL runs as when the service is root: PostgreSQL itself refuses root. */
export interface SystemUser {
  uid: number;
  gid: number;
}

/** The user `nobody` and its group on nearly every system. */
const NOBODY: SystemUser = { uid: 65_534, gid: 65_534 };

/**
 * Null when the service runs as an ordinary user, and PostgreSQL as the same. For root: the owner of the existing cluster, or
 * else `nobody`.
 */
export async function userForPostgres(cluster: string): Promise<SystemUser | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(cluster).catch(() => null);
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

/** The outermost directory on the way to `path` that the user may not pass through, or null. */
export async function forbiddenDirectory(path: string, user: SystemUser): Promise<string | null> {
  const parent = dirname(path);
  const above = parent === path ? null : await forbiddenDirectory(parent, user);
  if (above !== null) return above;
  const { mode, uid, gid } = await stat(path);
  const searchable = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001;
  return searchable ? null : path;
}
