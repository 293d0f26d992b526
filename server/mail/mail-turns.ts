import type { Context } from '../context.ts';
import type { Mail } from './mailer.ts';

/** Jobs of one process that send mails at a time: servers that hang leave a place for other jobs. */
const MAX_SENDING = 2;
/** Jobs that send many mails count as one of these: two of them would leave no place for somebody who waits for a mail. */
const MAX_LONG_RUNS = 1;
/** Assumed duration of a mail while none has been sent, in milliseconds. */
const FIRST_MS = 200;
/** Longest wait that a job is given at a time, in seconds. */
const MAX_WAIT_SECONDS = 600;

/** Mails that go out one after another, so that a server that hangs holds up no mails of others. */
interface Line {
  /** When the mail under way began; null while there is none. Times are those of `performance.now()`. */
  since: number | null;
  /** Duration of the last mail. */
  lastMs: number;
  /** When the next one to ask has its turn, if each before it takes as long as the last. */
  nextTurn: number;
}

interface Turns {
  lines: Map<string, Line>;
  /** Jobs that send many mails each. */
  longRuns: number;
}

interface Turn {
  send(): Promise<unknown>;
  /** Puts the mail off. It costs no attempt. */
  later(seconds: number): Promise<void>;
}

const turnsOf = new WeakMap<object, Turns>();

/**
 * Sends the mail of a job, if it is its turn. All others are told when to come again, one after another: soon while mails go out quickly,
 * ever later while a server hangs.
 * @param name of the line: its mails go through one server
 */
export async function mailInTurn(context: Context, name: string, { send, later }: Turn): Promise<void> {
  const { lines, longRuns } = turnsIn(context);
  const line = lines.get(name) ?? { since: null, lastMs: FIRST_MS, nextTurn: 0 };
  lines.set(name, line);
  const sending =
    Math.min(longRuns, MAX_LONG_RUNS) + [...lines.values()].filter(({ since }) => since !== null).length;
  if (line.since !== null || sending >= MAX_SENDING) return later(secondsToTurn(line));
  const began = performance.now();
  line.since = began;
  try {
    await send();
  } finally {
    const now = performance.now();
    Object.assign(line, { since: null, lastMs: now - began });
    if (line.nextTurn <= now) lines.delete(name);
  }
}

/**
 * Sends a mail to somebody who waits for it: one at a time, through the operator's server.
 * @param later see `Turn`
 * @throws Error when the mail server refuses
 */
export function mailToPerson(context: Context, mail: Mail, later: Turn['later']): Promise<void> {
  return mailInTurn(context, 'people', { send: () => context.mailer.send(mail), later });
}

/** Counts a job that sends many mails, and is not held up by others. */
export async function mailInLongRun<T>(context: object, run: () => Promise<T>): Promise<T> {
  const turns = turnsIn(context);
  turns.longRuns++;
  try {
    return await run();
  } finally {
    turns.longRuns--;
  }
}

function turnsIn(context: object): Turns {
  const turns = turnsOf.get(context) ?? { lines: new Map(), longRuns: 0 };
  turnsOf.set(context, turns);
  return turns;
}

function secondsToTurn(line: Line): number {
  const now = performance.now();
  const each = Math.max(line.lastMs, line.since === null ? 0 : now - line.since);
  line.nextTurn = Math.min(Math.max(line.nextTurn, now) + each, now + MAX_WAIT_SECONDS * 1_000);
  return (line.nextTurn - now) / 1_000;
}
