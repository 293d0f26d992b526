import pg from 'pg';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/** Characters buffered while the log cannot be written; more is lost. */
const MAX_WAITING = 1024 * 1024;

/** The log of the process: JSON lines on stdout, without anything that respondents or owners wrote. */
export function createLog(
  { logLevel }: Pick<Config, 'logLevel'>,
  destination: DestinationStream = standardOutput(),
): Logger {
  return pino({ level: logLevel, base: null, serializers: { err: describeError } }, destination);
}

/** A full disk or a gone reader ends the log, not the service. */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: true, maxLength: MAX_WAITING }).on('error', () => {});
}

/**
 * PostgreSQL quotes values in its messages, so only the code and object names of its errors are kept. Mail servers quote
 * addresses and `JSON.parse` its input, so their messages are dropped.
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
    ...(error.cause instanceof pg.DatabaseError && { cause: describeError(error.cause) }),
    stack: framesOf(error),
  };
}

/** nodemailer's `EENVELOPE`: an address that it does not even try. */
function quotes(error: Error & { code?: string; responseCode?: number }): boolean {
  return error instanceof SyntaxError || error.responseCode !== undefined || error.code === 'EENVELOPE';
}

function framesOf({ stack }: Error): string[] {
  return (stack ?? '').split('\n').flatMap((line) => (line.startsWith('    at ') ? [line.trim()] : []));
}
