import { CLI } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db, Transaction } from '../db/database.ts';
import { disconnectUnreadable } from '../payments/disconnect-unreadable.ts';
import type { SecretBox } from '../secret-box.ts';
import { lockKeyInForce, setKeyInForce, updateSealedRows } from './queries.ts';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts';
import { countSealed, sealedRows } from './sealed-rows.ts';

type Rotation =
  /** `unreadable`: values that neither key opens, because their own was lost before; they stay as they are. */
  | { outcome: 'rotated'; encrypted: number; unreadable: number }
  /** The database belongs to the new key already, from an earlier rotation. */
  | { outcome: 'already' }
  /** The database belongs to neither key, or the old one opens no encrypted value. */
  | { outcome: 'foreign' };

type Refuse = (trx: Transaction) => Promise<void>;

/**
 * Encrypts all encrypted values with the new key, in one transaction: all or nothing.
 * @param refuse called once no other process can learn the key; if it throws, nothing is changed
 */
export function rotateKey(
  db: Db,
  oldBox: SecretBox,
  newBox: SecretBox,
  refuse: Refuse = async () => {},
): Promise<Rotation> {
  return db.transaction().execute(async (trx): Promise<Rotation> => {
    const inForce = await lockKeyInForce(trx, SEALED_COLUMNS);
    await refuse(trx);
    if (inForce === newBox.fingerprint) return { outcome: 'already' };
    if (inForce !== null && inForce !== oldBox.fingerprint) return { outcome: 'foreign' };
    let [encrypted, unreadable] = [0, 0];
    for (const column of SEALED_COLUMNS) {
      const done = await rotateColumn(trx, column, oldBox, newBox);
      encrypted += done.encrypted;
      unreadable += done.unreadable;
    }
    // Before the first start records the key, only encrypted values show whose they are.
    if (inForce === null && encrypted === 0 && unreadable > 0) return { outcome: 'foreign' };
    await setKeyInForce(trx, newBox.fingerprint);
    await recordEvent(trx, CLI, { verb: 'secret_key.rotated', details: { encrypted, unreadable } });
    return { outcome: 'rotated', encrypted, unreadable };
  });
}

interface Replacement {
  /** Encrypted values that can no longer be read. */
  unreadable: number;
  /** Accounts for payments that were disconnected, because their keys can no longer be read. */
  disconnected: number;
}

/**
 * Assigns the database to another key when its own is lost.
 * @param refuse see `rotateKey`
 */
export function replaceLostKey(
  db: Db,
  newBox: SecretBox,
  refuse: Refuse = async () => {},
): Promise<Replacement> {
  return db.transaction().execute(async (trx) => {
    const inForce = await lockKeyInForce(trx, SEALED_COLUMNS);
    await refuse(trx);
    const disconnected = await disconnectUnreadable(trx, newBox);
    const { unreadable } = await countSealed(trx, newBox);
    if (inForce === newBox.fingerprint) return { unreadable, disconnected };
    await setKeyInForce(trx, newBox.fingerprint);
    await recordEvent(trx, CLI, { verb: 'secret_key.rotated', details: { encrypted: 0, unreadable } });
    return { unreadable, disconnected };
  });
}

async function rotateColumn(trx: Transaction, column: SealedColumn, oldBox: SecretBox, newBox: SecretBox) {
  let [encrypted, unreadable] = [0, 0];
  for await (const rows of sealedRows(trx, column)) {
    const fresh = rows.flatMap((row) => {
      const purpose = column.purpose(row);
      const plain = oldBox.decrypt(row.sealed, purpose);
      return plain === null ? [] : [{ id: row.id, sealed: newBox.encrypt(plain, purpose) }];
    });
    if (fresh.length > 0) await updateSealedRows(trx, column, fresh);
    encrypted += fresh.length;
    unreadable += rows.length - fresh.length;
  }
  return { encrypted, unreadable };
}
