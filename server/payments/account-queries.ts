import { sql } from 'kysely';
import type { Db, Transaction } from '../db/database.ts';
import type { PaymentAccount, PaymentMode } from './account.ts';

/** An account as it is stored. */
export interface AccountRow extends Omit<PaymentAccount, 'secretKey'> {
  sealed: Buffer;
}

export async function findAccount(db: Db, workspaceId: number): Promise<AccountRow | null> {
  const row = await db
    .selectFrom('workspace_payment_accounts')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    workspaceId: row.workspace_id,
    accountId: row.account_id,
    name: row.account_name,
    mode: row.mode as PaymentMode,
    sealed: row.secret_key_encrypted,
  };
}

/** The keys of all accounts, as they are stored. */
export function findSealedKeys(db: Db): Promise<Pick<AccountRow, 'workspaceId' | 'sealed'>[]> {
  return db
    .selectFrom('workspace_payment_accounts')
    .select(['workspace_id as workspaceId', 'secret_key_encrypted as sealed'])
    .execute();
}

export async function hasAccount(db: Db, workspaceId: number): Promise<boolean> {
  return (await findAccount(db, workspaceId)) !== null;
}

/** Whether forms of a workspace ask for no real money. */
export async function hasTestAccount(db: Db, workspaceId: number): Promise<boolean> {
  return (await findAccount(db, workspaceId))?.mode === 'test';
}

export async function saveAccount(trx: Transaction, account: AccountRow): Promise<void> {
  const values = {
    account_id: account.accountId,
    account_name: account.name,
    mode: account.mode,
    secret_key_encrypted: account.sealed,
    updated_at: sql<Date>`now()`,
  };
  await trx
    .insertInto('workspace_payment_accounts')
    .values({ workspace_id: account.workspaceId, ...values })
    .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(values))
    .execute();
}

/** @returns false when there was none */
export async function deleteAccount(trx: Transaction, workspaceId: number): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('workspace_payment_accounts')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
