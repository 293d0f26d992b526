import type { FastifyReply } from 'fastify';
import { HttpError } from '../errors.ts';

/** Only seen in metrics, as nobody is there to read the answer; other servers use the same status. */
const CLIENT_LEFT = 499;

/** Aborts when the client closes its connection before the answer is sent, so that work nobody waits for can stop. */
export function whenClientLeaves({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) controller.abort(new HttpError(CLIENT_LEFT, 'The client has left.'));
  };
  if (raw.destroyed || raw.socket?.destroyed) leave();
  else raw.once('close', leave);
  return controller.signal;
}
