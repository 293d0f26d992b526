import { isDeepStrictEqual } from 'node:util';
import { followingConditions } from '../../fields/logic/renamed-conditions.ts';
import type { JsonValue, Property } from '../../fields/property.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import { hostOf } from './changes-of-integration.ts';
import { listIntegrations, setLogic } from './queries.ts';
import { targetOf } from './save-integration.ts';

/**
 * Adapts the conditions of a form's integrations to renamed options, so that they go on to send the same answers. The caller holds the lock
 * of `lockProperties`, and raises the revision of the form.
 */
export async function followRenamesInIntegrations(
  trx: Transaction,
  formId: number,
  { before, after }: { before: readonly Property[]; after: readonly Property[] },
  actor: Actor,
): Promise<void> {
  const follow = followingConditions(before, after);
  if (follow === null) return;
  for (const row of await listIntegrations(trx, formId)) {
    const logic = follow(row.logic as JsonValue);
    if (isDeepStrictEqual(logic, row.logic)) continue;
    await setLogic(trx, row, logic);
    const details = { fields: ['logic'], status: row.status, host: hostOf(row) };
    await recordEvent(trx, actor, { verb: 'integration.changed', formId, target: targetOf(row), details });
  }
}
