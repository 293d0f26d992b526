import { violates } from '../db/constraint-errors.ts';
import type { Db, Transaction } from '../db/database.ts';
import { invalid } from './errors.ts';

/**
 * Saves, in a transaction, something whose name nothing else of its kind may have.
 * @param unique.index the unique index over the names
 * @throws HttpError 422 on `name` when it is taken
 */
export async function saveNamed<Saved>(
  db: Db,
  { noun, index }: { noun: string; index: string },
  save: (trx: Transaction) => Promise<Saved>,
): Promise<Saved> {
  try {
    return await db.transaction().execute(save);
  } catch (error) {
    if (violates(error, index)) throw invalid({ name: [`Another ${noun} has this name.`] });
    throw error;
  }
}
