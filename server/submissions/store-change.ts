import type { Answers } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { scheduleDeliveries } from '../deliveries/schedule-deliveries.ts';
import { exchangeFiles } from '../files/claim-files.ts';
import type { Attribution } from './attribution.ts';
import {
  addToCounters,
  insertDeliveries,
  insertSubmission,
  insertUsedKey,
  lockFormGate,
  overwriteSubmission,
} from './change-queries.ts';
import type { PublishedForm } from './published-forms.ts';
import type { IntakeOutcome } from './store-queries.ts';

/** Every way to change submissions but the plain new one, which goes through the intake. */
export interface Change {
  kind: 'new_partial' | 'update_partial' | 'complete' | 'edit';
  publicId: string;
  answers: Answers;
  /** Counts at creation only. */
  attribution: Attribution | null;
  /** Seconds. */
  completionTime: number | null;
  idempotency: { key: string; bodyHash: Buffer } | null;
}

export type ChangeOutcome = IntakeOutcome | { kind: 'missing' };

/** Ends the transaction without a trace. */
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
  try {
    const isFirst = await context.db.transaction().execute((trx) => storeLocked(trx, form, change));
    if (change.kind === 'complete') context.dispatcher.wake(form.integrations.map(({ id }) => id));
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
  const isFirst = change.kind === 'complete' && gate.completedCount === 0;
  await useKey(trx, form, change, isFirst);
  await write(trx, form, change);
  if (!(await exchangeFiles(trx, form, change.publicId, change.answers)))
    throw new Abandoned({ kind: 'stale' });
  return isFirst;
}

async function useKey(
  trx: Transaction,
  form: PublishedForm,
  change: Change,
  wasFirst: boolean,
): Promise<void> {
  const { idempotency, publicId, kind } = change;
  if (!idempotency) return;
  const wasPartial = kind === 'new_partial' || kind === 'update_partial';
  const use = { bodyHash: idempotency.bodyHash, submissionPublicId: publicId, wasPartial, wasFirst };
  if (!(await insertUsedKey(trx, form.id, idempotency.key, use))) throw new Abandoned({ kind: 'used_key' });
}

async function write(trx: Transaction, form: PublishedForm, change: Change): Promise<void> {
  const { publicId, answers, completionTime, attribution } = change;
  const stored = { publicId, answers, completionTime };
  switch (change.kind) {
    case 'new_partial':
      await insertSubmission(trx, form.id, { ...stored, status: 'partial' }, attribution);
      return addToCounters(trx, form.id, 0, 1);
    case 'update_partial':
      await overwrite(trx, form.id, { ...stored, status: 'partial' }, 'partial');
      return;
    case 'edit':
      await overwrite(trx, form.id, { ...stored, status: 'completed' }, 'completed');
      return;
    case 'complete': {
      const row = await overwrite(trx, form.id, { ...stored, status: 'completed' }, 'partial');
      const firstTouch = row.attribution as Record<string, string> | null;
      await addToCounters(trx, form.id, 1, -1);
      const deliveries = scheduleDeliveries(form, { publicId, answers, attribution: firstTouch });
      return insertDeliveries(trx, form.id, row.id, deliveries);
    }
  }
}

async function overwrite(...args: Parameters<typeof overwriteSubmission>) {
  const row = await overwriteSubmission(...args);
  if (!row) throw new Abandoned({ kind: 'missing' });
  return row;
}
