import { SYSTEM } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { bumpFormRevision, lockProperties } from '../forms/queries.ts';
import { deactivateIntegration, type Surrender } from './attempt-queries.ts';

const GONE = 'The receiver answered 410 Gone.';
const NOTHING_BUT_FAILURES = 'Every delivery has failed for five days.';

/**
 * Makes an integration inactive because of its receiver's answers. Waiting deliveries stay, and are sent when the owner makes it
 * active again. Does nothing when it is inactive already or was changed since the verdict; the next failure leads to a new one.
 */
export async function surrender(
  { db, log, publishedForms }: Pick<Context, 'db' | 'log' | 'publishedForms'>,
  verdict: Surrender,
): Promise<void> {
  const { integrationId, formId } = verdict;
  const reason = verdict.isGone ? GONE : NOTHING_BUT_FAILURES;
  const isNews = await db.transaction().execute(async (trx) => {
    // Like every change of integrations, this locks the form's row first.
    await lockProperties(trx, formId);
    if (!(await deactivateIntegration(trx, verdict, reason))) return false;
    await bumpFormRevision(trx, formId);
    const event = { verb: 'integration.stopped' as const, formId, target: { id: integrationId, name: null } };
    await recordEvent(trx, SYSTEM, { ...event, details: { reason } });
    return true;
  });
  if (!isNews) return;
  publishedForms.forget(formId);
  log.warn({ integrationId, formId, reason }, 'an integration was made inactive');
}
