import pg from 'pg';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/** Characters that wait for room where the log is written; what comes on top is lost. */
const MAX_WAITING = 1024 * 1024;

/** The process's log: JSON lines on stdout, without anything a respondent or owner has written. */
export function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = standardOutput(),
): Logger {
  return pino({ level: logLevel, base: null, serializers: { err: describeError } }, destination);
}

/** A disk that is full, or a reader that is gone, ends the log and not the service. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING }).on('error', () => {});
}

/**
 * PostgreSQL quotes values in its messages, so of its errors only the code and the names of objects are kept; a mail
 * server quotes addresses, `JSON.parse` what it read, so theirs lose the message.
 */
function describeError(error: unknown): object {
  if (error instanceof pg.DatabaseError) {
    const { code, schema, table, column, constraint, routine } = error;
    return {
      type: 'DatabaseError',
      code,
      schema,
      table,
      column,
      constraint,
      routine,
      stack: framesOf(error),
    };
  }
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, responseCode } = error as NodeJS.ErrnoException & { responseCode?: number };
  return {
    type: error.name,
    code,
    responseCode,
    ...(!quotes(error) && { message: error.message }),
    stack: framesOf(error),
  };
}

/** `EENVELOPE` is nodemailer's for an address it does not even try. */
function quotes(error: Error & { code?: string; responseCode?: number }): boolean {
  return error instanceof SyntaxError || error.responseCode !== undefined || error.code === 'EENVELOPE';
}

function framesOf({ stack }: Error): string[] {
  return (stack ?? '').split('\n').flatMap((line) => (line.startsWith('    at ') ? [line.trim()] : []));
}
