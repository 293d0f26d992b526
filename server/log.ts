import pg from 'pg';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/** The process's log: JSON lines on stdout, without anything a respondent or owner has written. */
export function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = pino.destination(1),
): Logger {
  return pino({ level: logLevel, base: null, serializers: { err: describeError } }, destination);
}

/** PostgreSQL quotes values in its messages, so of its errors only the code and the names of objects are kept. */
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
  return {
    type: error.name,
    code: (error as NodeJS.ErrnoException).code,
    message: error.message,
    stack: framesOf(error),
  };
}

function framesOf({ stack }: Error): string[] {
  return (stack ?? '').split('\n').flatMap((line) => (line.startsWith('    at ') ? [line.trim()] : []));
}
