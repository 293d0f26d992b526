import { charges } from '../../../fields/payment.ts';
import type { Property } from '../../../fields/property.ts';
import type { Db } from '../../db/database.ts';
import { invalid } from '../../http/errors.ts';
import { hasAccount } from '../../payments/account-queries.ts';

/** The blocks of a form; undefined where a change leaves them as they are. */
interface Charging {
  properties?: readonly unknown[] | undefined;
}

/**
 * Refuses to begin asking for money where the workspace is not connected to an account.
 * @param current null for a form that is about to be created
 * @throws HttpError 422
 */
export async function refuseChargingWithoutAccount(
  db: Db,
  workspaceId: number,
  { properties = [] }: Charging,
  current: Charging | null,
): Promise<void> {
  const index = properties.findIndex(isCharging);
  if (index < 0 || current?.properties?.some(isCharging) || (await hasAccount(db, workspaceId))) return;
  throw invalid({
    [`properties.${index}.amount`]: [
      'The workspace is not connected to a Stripe account. Its admins connect it in the workspace’s settings.',
    ],
  });
}

/**
 * Refuses to move a form that asks for money to a workspace that is not connected: nobody could send it.
 * @throws HttpError 422
 */
export async function refuseMovingWithoutAccount(
  db: Db,
  workspaceId: number,
  { properties }: Required<Charging>,
): Promise<void> {
  if (!properties?.some(isCharging) || (await hasAccount(db, workspaceId))) return;
  throw invalid({
    workspace_id: ['The form asks for money, but that workspace is not connected to a Stripe account.'],
  });
}

/** Blocks have been checked before. */
function isCharging(block: unknown): boolean {
  return charges(block as Property);
}
