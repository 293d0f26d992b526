import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { type ErasedCounts, insertErasure, saveErasedCounts } from './erase-queries.ts';
import { type PersonValue, valueHash } from './person-value.ts';

export const NOTHING: ErasedCounts = {
  submissions: 0,
  changes: 0,
  files: 0,
  deliveries: 0,
  exports: 0,
  drafts: 0,
  invites: 0,
  recipients: 0,
};

/** What was erased until now. */
interface Erased {
  /** Id of the record; null when nothing was erased. */
  id: number | null;
  counts: ErasedCounts;
}

interface ErasureRecord {
  /** Erases in a transaction that also writes the record: the only place that records an erasure. */
  along(erase: (trx: Transaction) => Promise<Partial<ErasedCounts>>): Promise<void>;
  soFar(): Erased;
}

/** The record of an erasure, written once the first thing is erased. It holds numbers and a keyed hash of the value. */
export function beginRecord(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  { workspaceId, value }: { workspaceId: number; value: PersonValue },
  actor: Actor,
): ErasureRecord {
  let erased: Erased = { id: null, counts: NOTHING };
  return {
    soFar: () => erased,
    async along(erase) {
      erased = await db.transaction().execute(async (trx) => {
        const more = await erase(trx);
        if (Object.values(more).every((count) => count === 0)) return erased;
        const counts = addCounts(erased.counts, more);
        const id = erased.id ?? (await insertRecord(trx));
        await saveErasedCounts(trx, id, counts);
        return { id, counts };
      });
    },
  };

  async function insertRecord(trx: Transaction): Promise<number> {
    const { userId, tokenId } = actor;
    const hash = valueHash(secrets, value);
    const id = await insertErasure(trx, {
      workspaceId,
      valueHash: hash,
      valueKind: value.kind,
      userId,
      tokenId,
    });
    await recordEvent(trx, actor, { verb: 'person.erased', workspaceId, details: { erasure_id: id } });
    return id;
  }
}

export function addCounts(one: ErasedCounts, other: Partial<ErasedCounts>): ErasedCounts {
  const entries = Object.entries(one).map(([kind, count]) => [
    kind,
    count + (other[kind as keyof ErasedCounts] ?? 0),
  ]);
  return Object.fromEntries(entries) as unknown as ErasedCounts;
}
