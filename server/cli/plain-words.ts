import { databaseProblem } from '../db/constraint-errors.ts';
import { HttpError } from '../http/errors.ts';
import { UnusableKeyError } from '../secret-box.ts';
import { CommandError } from './command.ts';

/** What an operator can mend, as one line that says so; every other error as it is. */
export function inPlainWords(error: unknown): unknown {
  if (error instanceof HttpError || codeOf(error) === UnusableKeyError.code)
    return new CommandError((error as Error).message);
  const listening = listenProblem(error);
  if (listening !== null) return new CommandError(listening);
  if (databaseProblem(error) !== 'unavailable' && !isRefusedLogin(error)) return error;
  return new CommandError(`The database does not answer: ${(error as Error).message || 'no connection'}.`);
}

function listenProblem(error: unknown): string | null {
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  // Of several processes the one that shares the port binds it.
  if (syscall !== 'listen' && syscall !== 'bind') return null;
  const place = `${address ?? ''}:${port ?? ''}`;
  if (code === 'EADDRINUSE') return `Something else listens on ${place} already. Set PORT to another port.`;
  return `Formstead cannot listen on ${place} (${code}). Set HOST and PORT to an address of this machine.`;
}

/** SQLSTATE 28 and 3D: a wrong password, an unknown user or database. */
function isRefusedLogin(error: unknown): boolean {
  return /^(28|3D)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  return (error as { code?: string }).code ?? '';
}
