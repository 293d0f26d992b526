import type { Context } from '../context.ts';
import { findOwnForm } from '../submissions/published-form/queries.ts';
import { settlePayment } from './collect.ts';
import { findToAsk, postponeAsking } from './queries.ts';

/** Looked up at a time. */
const CHUNK = 50;

/**
 * Asks Stripe about payments that were begun and whose senders have not come back. Each turn asks about what is due; the next asks about
 * what is left.
 */
export async function settlePayments(context: Context, stopping: AbortSignal): Promise<void> {
  const { db, log } = context;
  const asked = new Set<number>();
  for (;;) {
    const due = (await findToAsk(db, CHUNK)).filter(({ id }) => !asked.has(id));
    if (due.length === 0) return;
    for (const { id, formId } of due) {
      if (stopping.aborted) return;
      asked.add(id);
      const form = await findOwnForm(db, formId);
      if (!form) continue;
      await settlePayment(context, form, id).catch(async (error: unknown) => {
        log.error({ err: error, form: formId }, 'a payment could not be settled');
        // Or those that fail would keep later ones from being asked about.
        await postponeAsking(db, formId, id);
      });
    }
  }
}
