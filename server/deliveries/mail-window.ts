import { type AttemptResult, isDelivered } from './attempt.ts';

/** Mails at a time: few at first, as some servers take only three connections; more and more while the server takes them. */
const FIRST_WIDTH = 2;
const MAX_WIDTH = 10;
/** Mails that the server takes before it is tried with one more at a time. */
const TAKEN_BEFORE_MORE = 10;
/** It is not tried with more for this long after it could not be used. */
const PAUSE_MS = 60_000;
/** The reply of a server that closes the connection (RFC 5321, 4.2.3), such as when there are too many. */
const CLOSING = 421;

/** How many mails go out at a time through one server. */
export interface MailWindow {
  isFull(): boolean;
  begin(): void;
  end(result: AttemptResult): void;
}

export function createMailWindow(): MailWindow {
  let width = FIRST_WIDTH;
  let underWay = 0;
  let taken = 0;
  let troubledAt = Number.NEGATIVE_INFINITY;

  return {
    isFull: () => underWay >= width,
    begin() {
      underWay++;
    },
    end(result) {
      const atOnce = underWay--;
      const now = performance.now();
      if (isTroubled(result)) {
        width = Math.max(1, Math.min(width, atOnce) - 1);
        taken = 0;
        troubledAt = now;
      } else if (isDelivered(result) && ++taken >= TAKEN_BEFORE_MORE && now - troubledAt > PAUSE_MS) {
        width = Math.min(width + 1, MAX_WIDTH);
        taken = 0;
      }
    },
  };
}

/** Whether the server, and not this mail, was the reason. */
function isTroubled(result: AttemptResult): boolean {
  if (result.ok) return result.status === CLOSING;
  return result.reason === 'mail_server_failed' || result.reason === 'mail_server_timeout';
}
