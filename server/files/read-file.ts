import type { Readable } from 'node:stream';
import type { Context } from '../context.ts';
import { unavailable } from '../http/errors.ts';

/**
 * A file of the store for whoever asked for it; null when there is none.
 * @throws HttpError 503: a bucket that fails is nothing the reader did wrong
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
