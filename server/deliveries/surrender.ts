import { SYSTEM } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { bumpFormRevision } from '../forms/queries.ts';
import { deactivateIntegration, type Surrender } from './outbox-queries.ts';

const GONE = 'The receiver answered 410 Gone.';
const NOTHING_BUT_FAILURES = 'Every delivery has failed for five days.';

/**
 * Makes an integration inactive because of what its receiver answers. Its waiting deliveries stay and go on when the owner makes
 * it active again. Submissions in flight notice, as with any change of the form.
 */
export async function surrender(
  { db, log, publishedForms }: Pick<Context, 'db' | 'log' | 'publishedForms'>,
  { integrationId, formId, isGone }: Surrender,
): Promise<void> {
  const reason = isGone ? GONE : NOTHING_BUT_FAILURES;
  await db.transaction().execute(async (trx) => {
    await bumpFormRevision(trx, formId);
    if (!(await deactivateIntegration(trx, formId, integrationId, reason))) return;
    const event = { verb: 'integration.stopped' as const, formId, target: { id: integrationId, name: null } };
    await recordEvent(trx, SYSTEM, { ...event, details: { reason } });
  });
  publishedForms.forget(formId);
  log.warn({ integrationId, formId, reason }, 'an integration was made inactive');
}
