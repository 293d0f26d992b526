import type { Actor } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import { endpointChangesInForce } from '../deliveries/endpoints.ts';
import type { ErasedCounts } from './erase-queries.ts';
import { eraseDrafts, eraseInvites, eraseRecipients, eraseSubmissions, type Whose } from './erase-steps.ts';
import { beginRecord } from './erasure-record.ts';
import {
  type Position,
  type Sought,
  START,
  search,
  searchDrafts,
  searchRecipients,
  writeCursor,
} from './search.ts';

interface Erasure {
  /** Id of the record; null when nothing was erased. */
  id: number | null;
  counts: ErasedCounts;
  /** Position to continue from when the time was up; null when all is done. */
  cursor: string | null;
}

const TIME_LIMIT_MS = 8_000;

/**
 * Removes everything a workspace stores about a person: submissions with everything made of them, drafts, invites,
 * entries in lists of recipients. Each step commits its removals together with their record, which holds numbers and a
 * keyed hash of the value. Afterwards nothing of it is sent any more, except requests already on the wire.
 * @param limitMs after this time it stops and returns where to continue
 */
export async function erasePerson(
  parts: Pick<Context, 'db' | 'secrets'>,
  sought: Sought & Whose,
  actor: Actor,
  { from = START, limitMs = TIME_LIMIT_MS }: { from?: Position; limitMs?: number } = {},
): Promise<Erasure> {
  const { db } = parts;
  const deadline = performance.now() + limitMs;
  let cursor: string | null = null;
  const record = beginRecord(parts, sought, actor);
  await record.along((trx) => eraseInvites(trx, sought));
  for await (const { formId, recipients: found } of searchRecipients(db, sought))
    if (found.length > 0) await record.along((trx) => eraseRecipients(trx, sought, { formId, found }));
  for await (const all of searchDrafts(db, sought))
    for (const [formId, drafts] of Map.groupBy(all, ({ form_id }) => form_id))
      await record.along((trx) => eraseDrafts(trx, sought, { formId, drafts }));
  for await (const { form, hits, next } of search(db, sought, from)) {
    const found = hits.map(({ submission }) => submission.id);
    if (found.length > 0) await record.along((trx) => eraseSubmissions(trx, sought, { form, found }));
    if (performance.now() > deadline) {
      cursor = writeCursor(next);
      break;
    }
  }
  const erased = record.soFar();
  if (erased.counts.deliveries > 0) await endpointChangesInForce();
  return { ...erased, cursor };
}
