import type { FastifyReply } from 'fastify';
import { HttpError } from './errors.ts';

/** Nobody reads it; it stands in the metrics, under the status other servers use for the same. */
const CLIENT_LEFT = 499;

/** Aborts when the client has closed its connection before the answer was out: nobody waits for the work any more. */
export function whenClientLeaves({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) controller.abort(new HttpError(CLIENT_LEFT, 'The client has left.'));
  };
  if (raw.destroyed || raw.socket?.destroyed) leave();
  else raw.once('close', leave);
  return controller.signal;
}
