import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';

/**
 * The content of a stored file; null when there is none.
 * @throws HttpError 503 when the store fails: the reader did nothing wrong
 */
export function readFile(
  { files, log }: Pick<Context, 'files' | 'log'>,
  name: string,
): Promise<Readable | null> {
  return files.read(name).catch((err: unknown) => {
    log.error({ err }, 'a file could not be read');
    throw unavailable();
  });
}
