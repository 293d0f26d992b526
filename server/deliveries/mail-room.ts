import type { AttemptResult } from './attempt.ts';

/** The id of the workspace whose mail server it is, or the installation's. */
export type MailServerKey = number | 'installation';

/** Limits how many mails are on their way through one mail server, so that one that hangs holds up no mails of others. */
interface MailRoom {
  isFull(server: MailServerKey): boolean;
  /** @param send never rejects */
  use(server: MailServerKey, send: () => Promise<AttemptResult>): Promise<AttemptResult>;
}

/** Through one mail server. */
const MAX_MAILS_IN_FLIGHT = 10;

export function createMailRoom(): MailRoom {
  const inFlight = new Map<MailServerKey, number>();
  const countOf = (server: MailServerKey) => inFlight.get(server) ?? 0;
  return {
    isFull: (server) => countOf(server) >= MAX_MAILS_IN_FLIGHT,
    async use(server, send) {
      inFlight.set(server, countOf(server) + 1);
      const result = await send();
      const left = countOf(server) - 1;
      if (left > 0) inFlight.set(server, left);
      else inFlight.delete(server);
      return result;
    },
  };
}
