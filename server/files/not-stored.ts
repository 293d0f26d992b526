import type { Context } from '../context.ts';
import { HttpError, unavailable } from '../http/errors.ts';
import { UploadRefusal } from './check-content.ts';
import { NoRoom } from './no-room.ts';

/** Somebody has to free room first. */
const TRY_AGAIN_SECONDS = '300';

/**
 * What the sender of a file is told. A store that is full or does not answer is not the sender's fault, so it becomes a 503.
 * @param what stands in the log
 */
export function notStored({ log }: Pick<Context, 'log'>, error: unknown, what: string): unknown {
  if (error instanceof HttpError || error instanceof UploadRefusal) return error;
  log.error({ err: error }, what);
  if (!isFull(error)) return unavailable();
  const message = 'There is no room for this file at the moment. Please try again later.';
  return new HttpError(503, message, { error: 'no_room' }, { 'retry-after': TRY_AGAIN_SECONDS });
}

function isFull(error: unknown): boolean {
  return error instanceof NoRoom || ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '');
}
