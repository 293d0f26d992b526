import type { SubmissionLookup } from '../../../fields/logic/logic.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { limitConcurrency } from '../../limit-concurrency.ts';
import { answerExists, answerIsNew, type Look, nextLook } from './queries.ts';

/** Answers that no submission had, and when that was looked up. */
export interface LookedAt {
  look: Look;
  missing: SubmissionLookup[];
}

/**
 * A look-up may read every submission of the form, and anybody can cause one by answering. So only two run at a time, and at
 * most 100 wait.
 */
const inTurn = limitConcurrency(2, 100);

/** Asks which of these answers occur in completed submissions other than `ownPublicId`. */
export async function lookUp(
  db: Db,
  formId: number,
  lookups: SubmissionLookup[],
  ownPublicId: string | null,
): Promise<{ exists: (lookup: SubmissionLookup) => boolean; lookedAt: LookedAt }> {
  const known = new Set<string>();
  const look = await nextLook(db, formId);
  await Promise.all(
    lookups.map(async (lookup) => {
      if (await inTurn(() => answerExists(db, formId, lookup, ownPublicId))) known.add(keyOf(lookup));
    }),
  );
  const exists = (lookup: SubmissionLookup) => known.has(keyOf(lookup));
  return { exists, lookedAt: { look, missing: lookups.filter((lookup) => !exists(lookup)) } };
}

function keyOf({ propertyId, value }: SubmissionLookup): string {
  return `${propertyId} ${JSON.stringify(value)}`;
}

/**
 * Whether an answer that was missing has been stored since the look-up. To be asked under the form's lock, so that of two people
 * who send the same answer at once one is refused. As others wait for the lock, only submissions that came or changed since are read.
 */
export async function isOvertaken(
  trx: Transaction,
  formId: number,
  { lookedAt, publicId }: { lookedAt: LookedAt | null; publicId: string },
): Promise<boolean> {
  if (lookedAt === null) return false;
  for (const lookup of lookedAt.missing)
    if (await answerIsNew(trx, formId, lookup, publicId, lookedAt.look)) return true;
  return false;
}
