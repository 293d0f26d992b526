import type { ConfirmedAddress } from './queries.ts';

/** A confirmed address, in the API and in webhooks. */
export function presentConfirmed({ address, at }: ConfirmedAddress) {
  return { email: address, confirmed_at: at.toISOString() };
}
