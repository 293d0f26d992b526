import { unseenAnswers } from '../../fields/former-answers/unseen-answers.ts';
import { keptReference } from '../../fields/payment.ts';
import type { Answers } from '../../fields/property.ts';
import type { Actor } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { hearingOfEdits, scheduleDeliveries, scheduleEdit } from '../deliveries/schedule-deliveries.ts';
import { exchangeFiles } from '../files/claim-files.ts';
import { unavailable } from '../http/errors.ts';
import { limitConcurrencyPerKey } from '../limit-concurrency.ts';
import type { Owed } from '../payments/admit-unpaid.ts';
import type { ReceivedPayment } from '../payments/checkout.ts';
import { type LinkHolder, spendLinkOf } from '../recipients/link-queries.ts';
import { sendByLink } from '../recipients/send-by-link.ts';
import type { Attribution } from './acceptance/attribution.ts';
import { isOvertaken, type LookedAt } from './acceptance/look-up.ts';
import type { Idempotency } from './acceptance/replay.ts';
import { keepChange } from './changes/keep-change.ts';
import type { Confirmation } from './confirmation/ask-sender.ts';
import { scheduleConfirmation } from './confirmation/mail-confirmation.ts';
import { deleteWaiting } from './confirmation/queries.ts';
import type { IntakeOutcome } from './intake/outcomes.ts';
import { findFullOptions, takePlaces, withPresentNames } from './option-places-queries.ts';
import type { PublishedForm } from './published-form/published-form.ts';
import { findSubmission } from './queries.ts';
import { confirmedBy, finishRelease } from './set-aside/finish-release.ts';
import { insertSetAside, type SetAsideRow, settleFiles, takeSetAside } from './set-aside/queries.ts';
import { AWAITING_CODES, type Reason } from './set-aside/reasons.ts';
import {
  addToCounters,
  insertDeliveries,
  insertSubmission,
  insertUsedKey,
  lockFormGate,
  overwriteSubmission,
  type StoredAnswers,
} from './store-queries.ts';

/**
 * What one request does to the submissions of a form. A `new` submission goes to the intake, unless its answers were compared with
 * others, it came by a personal link or is set aside; everything else goes to `storeChange`.
 */
export interface Change {
  kind: 'new' | 'new_partial' | 'update_partial' | 'complete' | 'edit';
  publicId: string;
  answers: Answers;
  /** What was looked up in other submissions; null when nothing was. */
  lookedAt: LookedAt | null;
  /** Stored at creation only. */
  attribution: Attribution | null;
  /** Seconds. */
  completionTime: number | null;
  idempotency: Idempotency | null;
  /** Holder of the personal link that is used; null without one. */
  linkHolder: Pick<LinkHolder, 'id' | 'code'> | null;
  /** Why it is set aside instead, if it is new or completed; absent or empty if it is not. */
  reasons?: readonly Reason[];
  /** What its sender has to confirm before it counts; null or absent for nothing. */
  confirmation?: Confirmation | null;
  /** What it was before: it had been set aside, and is let in by a member, or by its sender (null), who has confirmed the address or paid. */
  released?: { held: SetAsideRow; actor: Actor | null; payment: ReceivedPayment | null };
  /** What its sender has to pay before it counts; null or absent for nothing. */
  due?: Owed | null;
}

export type ChangeOutcome = IntakeOutcome | { kind: 'missing' };

/**
 * Transactions of one form wait for its lock, each with a connection. So only two per form run at a time; the others, up to 1,000,
 * wait without a connection.
 */
const inTurn = limitConcurrencyPerKey(2, 1_000);
/** A request that waits longer than this for its turn is refused with 503. */
const PATIENCE_MS = 5_000;

/** Thrown to roll the transaction back. */
class Abandoned extends Error {
  readonly outcome: ChangeOutcome;
  constructor(outcome: ChangeOutcome) {
    super(outcome.kind);
    this.outcome = outcome;
  }
}

/** One transaction under the same lock as the intake: submission, counters, deliveries and idempotency key. */
export async function storeChange(
  context: Context,
  form: PublishedForm,
  change: Change,
): Promise<ChangeOutcome> {
  const since = performance.now();
  try {
    const isFirst = await inTurn(String(form.id), () => {
      if (performance.now() - since > PATIENCE_MS) throw unavailable();
      return context.db.transaction().execute((trx) => storeLocked(trx, form, change));
    });
    context.dispatcher.wake(toldOf(change, form).map(({ id }) => id));
    return { kind: 'stored', isFirst };
  } catch (error) {
    if (error instanceof Abandoned) return error.outcome;
    throw error;
  }
}

/** @returns whether the form had no completed submission before. */
async function storeLocked(trx: Transaction, form: PublishedForm, change: Change): Promise<boolean> {
  const gate = await lockFormGate(trx, form.id);
  if (gate?.revision !== form.revision) throw new Abandoned({ kind: 'stale' });
  const isFull = gate.maxSubmissionsCount !== null && gate.completedCount >= gate.maxSubmissionsCount;
  // Correcting an answer that was counted already is possible in a full form.
  if (isFull && change.kind !== 'edit') throw new Abandoned({ kind: 'full' });
  const isFirst = isNewlyComplete(change) && !awaitsSender(change) && gate.completedCount === 0;
  await useKey(trx, form, change, isFirst);
  // A link, an answer or a place that looked free has been taken meanwhile: judging again tells which.
  const isLate =
    !(await usesLink(trx, form, change)) ||
    (await isOvertaken(trx, form.id, change)) ||
    (await lacksPlaces(trx, form, change));
  if (isLate) throw new Abandoned({ kind: 'stale' });
  const stored = await write(trx, form, change);
  const { publicId, answers } = change;
  if (!(await exchangeFiles(trx, form, publicId, { named: answers, stored })))
    throw new Abandoned({ kind: 'stale' });
  if (isSetAside(change)) await settleFiles(trx, form.id, publicId);
  return isFirst;
}

function isNewlyComplete({ kind }: Change): boolean {
  return kind === 'new' || kind === 'complete';
}

/** Whether the change only sets something aside, which nobody is told. */
export function isSetAside({ reasons = [] }: Pick<Change, 'reasons'>): boolean {
  return reasons.length > 0;
}

/** Suspected spam does not count either, but whoever sent it is told nothing of that. */
function awaitsSender({ reasons = [] }: Change): boolean {
  return reasons.some((reason) => AWAITING_CODES.includes(reason));
}

function toldOf(change: Change, form: PublishedForm) {
  if (isSetAside(change)) return [];
  if (change.kind === 'edit') return hearingOfEdits(form);
  return isNewlyComplete(change) ? form.integrations : [];
}

/** Whether the submission is partial after the change. */
export function staysPartial({ kind }: Pick<Change, 'kind'>): boolean {
  return kind === 'new_partial' || kind === 'update_partial';
}

async function usesLink(trx: Transaction, { id }: PublishedForm, change: Change): Promise<boolean> {
  const { linkHolder, publicId } = change;
  if (linkHolder === null || change.kind === 'edit') return true;
  const waitsOrCounts = isSetAside(change) ? 'waiting' : 'complete';
  return sendByLink(trx, id, linkHolder, {
    publicId,
    state: staysPartial(change) ? 'partial' : waitsOrCounts,
  });
}

async function lacksPlaces(trx: Transaction, form: PublishedForm, change: Change): Promise<boolean> {
  if (staysPartial(change)) return false;
  const answers = form.compiled.answersForPlaces(change.answers);
  if (answers === null) return false;
  const [full] = await findFullOptions(trx, [{ formId: form.id, publicId: change.publicId, answers }]);
  return full !== undefined && full.length > 0;
}

async function useKey(
  trx: Transaction,
  form: PublishedForm,
  change: Change,
  wasFirst: boolean,
): Promise<void> {
  const { idempotency, publicId } = change;
  if (!idempotency) return;
  const wasPartial = staysPartial(change);
  const use = { bodyHash: idempotency.bodyHash, submissionPublicId: publicId, wasPartial, wasFirst };
  if (!(await insertUsedKey(trx, form.id, idempotency.key, use))) throw new Abandoned({ kind: 'used_key' });
}

/** @returns all answers of the submission as they are stored now */
async function write(trx: Transaction, form: PublishedForm, change: Change): Promise<Answers> {
  const { publicId, answers, completionTime, attribution } = change;
  const status = staysPartial(change) ? 'partial' : 'completed';
  const given = { publicId, answers, completionTime, status } as const;
  if (isSetAside(change)) return setAside(trx, form, change, given);
  const { released } = change;
  const confirmed = confirmedBy(change);
  // Reading it again tells what became of it.
  if (released && !(await takeSetAside(trx, form.id, released.held))) throw new Abandoned({ kind: 'stale' });
  const stored = { ...given, ending: endingOf(form, given) };
  switch (change.kind) {
    case 'new': {
      const createdAt = released?.held.created_at;
      const id = await insertSubmission(trx, form.id, stored, { attribution, createdAt });
      if (released) await finishRelease(trx, form, id, { change, confirmed });
      await addToCounters(trx, form.id, 1, 0);
      await takePlaces(trx, form.id, [form.compiled.answersForPlaces(answers)]);
      const told = { ...change, ending: stored.ending, confirmed, payment: released?.payment ?? null };
      await insertDeliveries(trx, form.id, id, scheduleDeliveries(form, told));
      return answers;
    }
    case 'new_partial':
      await insertSubmission(trx, form.id, stored, { attribution });
      await addToCounters(trx, form.id, 0, 1);
      return answers;
    case 'update_partial':
      return (await overwrite(trx, form, given, 'partial')).data;
    case 'edit': {
      const row = await overwrite(trx, form, given, 'completed');
      const overwritten = { id: row.id, before: row.before, after: row.data, at: row.updated_at };
      const edit = await keepChange(trx, form, overwritten, null);
      const told = { publicId, answers: row.answers, attribution: row.attribution, ending: row.ending };
      if (edit) await insertDeliveries(trx, form.id, row.id, scheduleEdit(form, { ...told, edit }));
      return row.data;
    }
    case 'complete': {
      const row = await overwrite(trx, form, given, 'partial');
      await deleteWaiting(trx, form.id, publicId);
      const { attribution, ending } = row;
      const payment = released?.payment ?? null;
      const told = { publicId, answers: row.answers, attribution, ending, confirmed, payment };
      if (released) await finishRelease(trx, form, row.id, { change, confirmed });
      else if (form.personalLinks !== null) await spendLinkOf(trx, form.id, publicId);
      await addToCounters(trx, form.id, 1, -1);
      await insertDeliveries(trx, form.id, row.id, scheduleDeliveries(form, told));
      return row.data;
    }
  }
}

/** Id of the ending that the answers lead to; null for none, and while they are partial. */
function endingOf(
  form: PublishedForm,
  { status, answers }: Pick<StoredAnswers, 'status' | 'answers'>,
): string | null {
  return status === 'partial' ? null : (form.endingFor(answers)?.id ?? null);
}

/**
 * What is to complete a partial submission waits beside it: that stays as it is, with the answers given last. When it is sent once more,
 * the later one counts.
 */
async function setAside(
  trx: Transaction,
  form: PublishedForm,
  { kind, publicId, attribution, reasons = [], confirmation = null, due = null }: Change,
  given: Omit<StoredAnswers, 'ending'>,
): Promise<Answers> {
  const completes = kind === 'complete';
  const partial = completes ? await overwrite(trx, form, { ...given, status: 'partial' }, 'partial') : null;
  if (completes) await deleteWaiting(trx, form.id, publicId);
  const answers = partial?.answers ?? given.answers;
  const row = { ...given, answers, attribution: partial?.attribution ?? attribution };
  await insertSetAside(trx, form.id, row, {
    reasons,
    unconfirmed: confirmation && { address: confirmation.address, fieldId: form.confirmsEmail },
    due,
  });
  if (confirmation) await scheduleConfirmation(trx, form, { publicId, language: confirmation.language });
  return answers;
}

/** Overwrites the answers, but keeps those to questions that the respondent could not see; `answers` of the result has both. */
async function overwrite(
  trx: Transaction,
  form: PublishedForm,
  stored: Omit<StoredAnswers, 'ending'>,
  from: 'completed' | 'partial',
) {
  const { fields } = form.compiled;
  const before = await findSubmission(trx, form.id, { public_id: stored.publicId });
  const shown = await withPresentNames(trx, form, before?.data ?? {});
  const kept = keptReference(form.payment, before?.data ?? {});
  const answers = { ...kept, ...stored.answers, ...unseenAnswers(fields, shown, stored.answers) };
  const fieldIds = fields.map(({ id }) => id);
  const ending = endingOf(form, { ...stored, answers });
  const row = await overwriteSubmission(trx, form.id, { ...stored, answers, ending }, { from, fieldIds });
  if (!row) throw new Abandoned({ kind: 'missing' });
  return { ...row, answers, ending, before: before?.data ?? {} };
}
