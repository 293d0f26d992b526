import type { ConfirmedAddress } from './queries.ts';

/** A confirmed address, in the API, in webhooks and in what is exported of a person. */
export function presentConfirmed({ address, at }: ConfirmedAddress) {
  return { email: address, confirmed_at: at.toISOString() };
}
