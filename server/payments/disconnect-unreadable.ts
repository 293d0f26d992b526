import { CLI } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Transaction } from '../db/database.ts';
import type { SecretBox } from '../secret-box.ts';
import { keyPurpose } from './account.ts';
import { deleteAccount, findSealedKeys } from './account-queries.ts';

/**
 * Disconnects the accounts whose key this box does not open: nobody could pay, and only an account that is gone is asked for again.
 * @returns how many
 */
export async function disconnectUnreadable(trx: Transaction, box: SecretBox): Promise<number> {
  let count = 0;
  for (const { workspaceId, sealed } of await findSealedKeys(trx)) {
    if (box.decrypt(sealed, keyPurpose(workspaceId)) !== null) continue;
    await deleteAccount(trx, workspaceId);
    await recordEvent(trx, CLI, { verb: 'payments.disconnected', workspaceId });
    count += 1;
  }
  return count;
}
