import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { HttpError } from './errors.ts';

/**
 * Lets the routes of a scope read multipart bodies, part by part. The size of a file is nobody's business here: whoever
 * reads it counts. Everywhere else multipart stays a content type that is not taken.
 */
export async function installMultipart(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, { throwFileSizeLimit: false, limits: { fileSize: Infinity } });
}

/** Complaints of the parser are about the request (400); all other errors stay what they are. */
export function asMultipartError(error: unknown): unknown {
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // `needle` is its word for a boundary it cannot look for.
  const isParser =
    code.startsWith('FST_') || /multipart|terminated early|boundary|malformed|needle/i.test(message);
  return isParser ? new HttpError(400, 'The multipart body is malformed.') : error;
}
