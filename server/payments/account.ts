import { isJsonObject, type JsonObject, type JsonValue } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import { invalid } from '../http/errors.ts';
import { type AccountRow, findAccount } from './account-queries.ts';
import { askStripe, stripeUnavailable } from './stripe.ts';

/** A secret or a restricted key, for tests or for real payments. */
const KEY = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{8,240}$/;
const MAX_NAME = 255;

export type PaymentMode = 'test' | 'live';

/** The account that forms of a workspace take payments for. */
export interface PaymentAccount {
  workspaceId: number;
  /** As Stripe calls it; null where the key may not ask. */
  accountId: string | null;
  name: string | null;
  mode: PaymentMode;
  secretKey: string;
}

/** The purpose that a workspace's key is encrypted for. */
export function keyPurpose(workspaceId: number): string {
  return `payment-account ${workspaceId}`;
}

/**
 * Checks a key at Stripe. A restricted key that may not read the account has to be one that may read Checkout Sessions.
 * @throws HttpError 422 for a key that Stripe does not take, 503 when it cannot be asked
 */
export async function checkKey(
  context: Context,
  workspaceId: number,
  given: string,
): Promise<PaymentAccount> {
  const secretKey = given.trim();
  const mode = KEY.exec(secretKey)?.[1] as PaymentMode | undefined;
  if (mode === undefined)
    throw refusedKey('The key must be a secret key of Stripe (sk_…) or a restricted one (rk_…).');
  const account = await askStripe(context, secretKey, { method: 'GET', path: '/v1/account' });
  if (!account.isReached) throw stripeUnavailable();
  const { status, body } = account;
  if (status === 200 && typeof body.id === 'string')
    return { workspaceId, accountId: body.id, name: nameIn(body), mode, secretKey };
  if (status !== 403) throw refusedKey('Stripe does not take this key.');
  const sessions = await askStripe(context, secretKey, {
    method: 'GET',
    path: '/v1/checkout/sessions?limit=1',
  });
  if (!sessions.isReached) throw stripeUnavailable();
  if (sessions.status !== 200) throw refusedKey('The key needs the permission to write Checkout Sessions.');
  return { workspaceId, accountId: null, name: null, mode, secretKey };
}

function refusedKey(message: string) {
  return invalid({ stripe_secret_key: [message] });
}

/** What people call the account: in the dashboard, in statements, or in its profile. */
function nameIn({ settings, business_profile: profile }: JsonObject): string | null {
  const dashboard = memberOf(settings, 'dashboard');
  const names = [memberOf(dashboard, 'display_name'), memberOf(profile, 'name')];
  const name = names.find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof name === 'string' ? name.trim().slice(0, MAX_NAME) : null;
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(value) ? value[key] : undefined;
}

/** The account of a workspace, with its key opened; null without one, or when the key of the service does not open it. */
export async function accountOf(
  { db, secrets, log }: Pick<Context, 'db' | 'secrets' | 'log'>,
  workspaceId: number,
): Promise<PaymentAccount | null> {
  const row = await findAccount(db, workspaceId);
  return row && openAccount({ secrets, log }, row);
}

function openAccount(
  { secrets, log }: Pick<Context, 'secrets' | 'log'>,
  { sealed, ...account }: AccountRow,
): PaymentAccount | null {
  const secretKey = secrets.decrypt(sealed, keyPurpose(account.workspaceId));
  if (secretKey !== null) return { ...account, secretKey };
  log.warn({ workspace: account.workspaceId }, 'the key of the payment account cannot be read');
  return null;
}
