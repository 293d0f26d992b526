import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { HttpError } from '../errors.ts';

/** For a body with one file and a few short parts: all parts are kept in memory, but for the file. */
export const ONE_FILE = { files: 1, fields: 10, fieldSize: 1_000, headerPairs: 20 };

/**
 * Lets the routes of a scope read multipart bodies, part by part. All other routes refuse multipart. The size of a file is not
 * limited here: the reader of the part has to count.
 */
export async function installMultipart(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { throwFileSizeLimit: false, limits: { fileSize: Infinity } });
}

/** Turns errors of the parser into 400, and leaves others as they are. */
export function asMultipartError(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // The parser says `needle` of a boundary that it cannot search for.
  const isParser =
    code.startsWith('FST_') || /multipart|terminated early|boundary|malformed|needle/i.test(message);
  return isParser ? new HttpError(400, 'The multipart body is malformed.') : error;
}
