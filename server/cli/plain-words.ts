import { databaseProblem, isRefusedParameter } from '../db/constraint-errors.ts';
import { HttpError } from '../http/errors.ts';
import { UnusableKeyError } from '../secret-box.ts';
import { CommandError } from './command.ts';

/** SQLSTATE insufficient_privilege. */
const NO_RIGHTS = '42501';

/** Puts a problem that an operator can fix into one line; returns every other error as it is. */
export function inPlainWords(error: unknown): unknown {
  if (error instanceof HttpError || codeOf(error) === UnusableKeyError.code)
    return new CommandError((error as Error).message);
  const listening = listenProblem(error);
  if (listening !== null) return new CommandError(listening);
  const file = fileProblem(error as NodeJS.ErrnoException);
  if (file !== null) return new CommandError(file);
  if (codeOf(error) === NO_RIGHTS)
    return new CommandError(
      `The user of DATABASE_URL has too few rights (${(error as Error).message}). It should own the database, see docs/database.md.`,
    );
  if (isRefusedParameter(error))
    return new CommandError(
      `The pooler behind DATABASE_URL does not pass on everything that stands in it (${(error as Error).message}). Leave that away, and set it for the role instead; see docs/database.md.`,
    );
  if (databaseProblem(error) !== 'unavailable') return error;
  return new CommandError(`The database does not answer: ${(error as Error).message || 'no connection'}.`);
}

function listenProblem(error: unknown): string | null {
  const {
    code,
    syscall,
    address,
    port,
    setting = 'PORT',
  } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
    setting?: string;
  };
  // With several processes, the one that shares the port binds it.
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const place = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE')
    return `Something else listens on ${place} already. Set ${setting} to another port.`;
  return `Formstead cannot listen on ${place} (${code}). Set HOST and ${setting} to an address of this machine.`;
}

/** The problem that keeps any file or directory from being used. */
function fileProblem({ code = '', path, syscall }: NodeJS.ErrnoException): string | null {
  if (path === undefined || syscall === 'connect') return null;
  if (code === 'ENOENT' && syscall === 'open') return `There is no file ${path}.`;
  if (code === 'ENOSPC' || code === 'EDQUOT') return `The disk of ${path} is full: free some space.`;
  if (code === 'EACCES' || code === 'EPERM')
    return `${path} may not be read or written by this user (${code}): give it to this user with chown -R, or name another place.`;
  if (code === 'EROFS') return `${path} is on a read-only disk: name another place, or make it writable.`;
  if (['EEXIST', 'ENOTDIR', 'EISDIR'].includes(code) || (code === 'ENOENT' && syscall === 'mkdir'))
    return `${path} cannot be used (${code}): name another place, such as another directory in DATA_DIR.`;
  return null;
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}
