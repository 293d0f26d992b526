import { formatDistance } from '../lib/format.ts';
import type { Tone } from '../ui/badge.tsx';
import type { Delivery, DeliveryState } from './queries.ts';

export const STATES: Record<DeliveryState, [name: string, tone: Tone]> = {
  pending: ['Waiting', 'accent'],
  delivered: ['Delivered', 'good'],
  exhausted: ['Given up', 'bad'],
  cancelled: ['Cancelled', 'neutral'],
};

const FAILURES: Record<string, string> = {
  blocked_address: 'Address not allowed',
  dns_failed: 'Name not found',
  connect_timeout: 'No connection in time',
  connect_failed: 'No connection',
  timeout: 'No answer in time',
  tls_failed: 'Certificate not accepted',
  connection_reset: 'Connection broken off',
  invalid_response: 'Unreadable answer',
  invalid_url: 'Invalid address',
  unreadable_secret: 'Secret cannot be read',
  restored: 'Waited in a backup',
  mail_server_failed: 'Mail server out of reach',
  mail_server_timeout: 'Mail server too slow',
  form_mail_limit: 'Too many mails in an hour',
  recipient_mail_limit: 'Too many to this address',
  no_recipient: 'Nobody to send it to',
};

interface Outcome {
  status_code: number | null;
  failure: string | null;
}

/** `Status 500`, or why there was no response. A mail server's code would tell people nothing. */
export function outcomeWords(outcome: Outcome, isMail: boolean): string {
  const { status_code: status, failure } = outcome;
  if (isMail && isGood(outcome)) return 'Accepted';
  if (status !== null) return `Status ${status}`;
  return failure === null ? 'No answer' : (FAILURES[failure] ?? failure);
}

export function isGood({ status_code: status }: Outcome): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** The name of a delivery's state; one that waits after a failure has a warning tone. */
export function stateOf({ state, attempts, last_attempt: last }: Delivery): [name: string, tone: Tone] {
  const [name, tone] = STATES[state];
  return [name, state === 'pending' && attempts > 0 && last && !isGood(last) ? 'warn' : tone];
}

/** `240 ms`, `1.3 s`. */
export function durationWords(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** When a delivery is tried next, if no time is set: one of an inactive integration waits. */
export const WHEN_ACTIVE = 'when the integration is active';

/** `in 12 s`, `in 5 minutes`; `now` if it is due. */
export function dueWords(time: string): string {
  const seconds = Math.ceil((Date.parse(time) - Date.now()) / 1_000);
  if (seconds <= 0) return 'now';
  return seconds < 60 ? `in ${seconds} s` : formatDistance(time);
}
