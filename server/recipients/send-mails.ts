import type { Context } from '../context.ts';
import type { AttemptResult } from '../deliveries/attempt.ts';
import { isDelivered } from '../deliveries/attempt.ts';
import { sendMail } from '../deliveries/deliver-mail.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import { secondsToNextHour } from '../mail/mail-limits.ts';
import { mailInLongRun } from '../mail/mail-turns.ts';
import { takeMailPlace } from '../mail/queries.ts';
import { createUnderWay, type UnderWay } from '../under-way.ts';
import {
  claimDueMails,
  type DueMail,
  findMailedForm,
  formsWithDueMails,
  type MailedForm,
  noteMailFailed,
  noteMailSent,
  postponeMail,
  type ServerKey,
  serversWithDueMails,
} from './mail-queries.ts';
import { writeMail } from './write-mail.ts';

/** Mails to recipients per form and hour, including tries. */
export const RECIPIENT_MAILS_PER_HOUR = 1_000;

/** Mails of a form claimed and sent at the same time: Exchange Online takes three, and other mails go out meanwhile. */
const AT_ONCE = 2;
/** Wait of a mail while the server cannot be used, in seconds: no try, as it says nothing about the recipient. */
const AWAY_SECONDS = 60;
/** Waits before further tries of a mail that the server put off, in seconds; then it is given up. */
const WAITS_SECONDS = [60, 300, 1_800, 7_200];
/** Mails of a form that the server may put off one after another in a run; it is left alone then. */
export const MAX_PUT_OFF = 24;
/** Limit of one run through a server, less than the minute until the next. */
const MAX_RUN_MS = 50_000;
/** Mail servers used at a time; each takes a connection to the database now and then. */
const MAX_SERVERS = 50;
const MAX_PROBLEM = 500;

type Parts = Pick<Context, 'db' | 'mailer' | 'mailerOf' | 'baseUrl' | 'config' | 'log'>;

/** A mail is `done` when it was sent or given up, `put_off` when the server wants it later; others need not wait. */
type Outcome = 'done' | 'put_off' | 'held_up';

/** What a process sends now. */
interface Run {
  /** Each has its own queue, so that one that hangs holds up no mails of others. */
  servers: Set<ServerKey>;
  work: UnderWay;
  failures: unknown[];
}

const runs = new WeakMap<Parts, Run>();
const inTurn = limitConcurrency(MAX_SERVERS, Number.POSITIVE_INFINITY);

/**
 * The job: sends due mails, the forms of each mail server in turns. One job per process does this, including mails queued meanwhile, so
 * an unresponsive mail server holds up no other jobs. A process that dies meanwhile leaves at most two mails per server to be sent twice.
 */
export async function sendRecipientMails(parts: Parts, stopping: AbortSignal): Promise<void> {
  const present = runs.get(parts);
  if (present) return present.work.add(startQueues(parts, present, stopping));
  const run: Run = { servers: new Set(), work: createUnderWay(), failures: [] };
  runs.set(parts, run);
  run.work.add(startQueues(parts, run, stopping));
  await mailInLongRun(parts, async () => {
    do await run.work.ended();
    while (run.work.size > 0);
  });
  runs.delete(parts);
  if (run.failures.length > 0) throw run.failures[0];
}

/** Begins to send through every server that has due mails and is not in use. Never throws. */
async function startQueues(parts: Parts, { servers, work, failures }: Run, stopping: AbortSignal) {
  const begin = (server: ServerKey) => {
    servers.add(server);
    const queue = inTurn(() => sendInTurns(parts, server, stopping));
    work.add(queue.catch(note).finally(() => servers.delete(server)));
  };
  const note = (error: unknown) => void failures.push(error);
  const due = await serversWithDueMails(parts.db, parts.mailer.isConfigured).catch(note);
  for (const server of due ?? []) if (!servers.has(server)) begin(server);
}

async function sendInTurns(parts: Parts, server: ServerKey, stopping: AbortSignal): Promise<void> {
  const end = performance.now() + MAX_RUN_MS;
  /** Forms that send nothing in this run. */
  const heldUp = new Set<number>();
  /** Mails of each form that were put off in a row. */
  const putOff = new Map<number, number>();
  for (;;) {
    const due = await formsWithDueMails(parts.db, server);
    const waiting = due.filter((formId) => !heldUp.has(formId));
    if (waiting.length === 0) return;
    for (const formId of waiting) {
      if (stopping.aborted || performance.now() > end) return;
      const outcomes = await sendSome(parts, formId);
      const inARow = outcomes.includes('done') ? 0 : (putOff.get(formId) ?? 0) + outcomes.length;
      putOff.set(formId, inARow);
      const isHeldUp = inARow > 0 && outcomes.includes('held_up');
      if (outcomes.length === 0 || isHeldUp || inARow >= MAX_PUT_OFF) heldUp.add(formId);
    }
  }
}

/** @returns nothing when none was tried: the form is not open yet, or another process has them; the next run tries again */
async function sendSome(parts: Parts, formId: number): Promise<Outcome[]> {
  const form = await findMailedForm(parts.db, formId);
  if (!form || form.waits) return [];
  const due = await claimDueMails(parts.db, formId, AT_ONCE);
  return Promise.all(due.map((mail) => sendOne(parts, formId, form, mail)));
}

/** @returns `held_up` when the mail server is away, or the hourly limit is reached */
async function sendOne(parts: Parts, formId: number, form: MailedForm, due: DueMail): Promise<Outcome> {
  const { db } = parts;
  const text = form.settings[due.kind];
  if (!form.isOpen || text === null) {
    await noteMailFailed(db, due, 'The form took no answers when the mail was due.');
    return 'done';
  }
  if (!(await takePlace(parts, formId))) {
    await postponeMail(db, due, { seconds: secondsToNextHour(), counts: false });
    return 'held_up';
  }
  const mailer = parts.mailerOf(form.mailServer);
  const result = await sendMail(mailer, parts.log, writeMail(parts, form, text, due), false);
  const wait = WAITS_SECONDS[due.tries];
  if (isDelivered(result)) await noteMailSent(db, due);
  else if (!result.ok && !result.isFinal) {
    const problem = mailer.workspaceId === null ? null : result.detail;
    await postponeMail(db, due, { seconds: AWAY_SECONDS, counts: false, problem });
  } else if (!result.isFinal && wait !== undefined)
    await postponeMail(db, due, { seconds: wait, counts: true });
  else await noteMailFailed(db, due, problemOf(result));
  if (isDelivered(result) || result.isFinal) return 'done';
  return result.ok ? 'put_off' : 'held_up';
}

function takePlace({ db }: Parts, formId: number): Promise<boolean> {
  return takeMailPlace(db, formId, {
    counted: 'recipients',
    period: 'hour',
    limit: RECIPIENT_MAILS_PER_HOUR,
  });
}

/** The server's own words, if it said anything about this mail. */
function problemOf(result: AttemptResult): string {
  if (!result.ok) return result.detail;
  return `The mail server said: ${result.bodyExcerpt.replace(/\p{C}/gu, ' ').slice(0, MAX_PROBLEM).toWellFormed()}`;
}
