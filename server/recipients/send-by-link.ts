import type { Transaction } from '../db/database.ts';
import { deleteSubmissions } from '../submissions/queries.ts';
import { findReplacedWaiting, type LinkHolder, type LinkUse, useLink } from './link-queries.ts';

/**
 * Uses the personal link in the transaction that stores, so that of two who send by it at the same time one is refused. What was sent by it
 * before and still waits for its sender gives way, as only one of them shall count.
 * @returns false when the link cannot be used any more
 */
export async function sendByLink(
  trx: Transaction,
  formId: number,
  holder: Pick<LinkHolder, 'id' | 'code'>,
  use: LinkUse,
): Promise<boolean> {
  if (!(await useLink(trx, formId, holder, use))) return false;
  if (use.state === 'partial') return true;
  const replaced = await findReplacedWaiting(trx, formId, holder.id, use.publicId);
  if (replaced.length > 0) await deleteSubmissions(trx, formId, replaced);
  return true;
}
