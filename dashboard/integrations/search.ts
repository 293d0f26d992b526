import { isDay } from '../lib/days.ts';
import type { DeliveryState } from './queries.ts';

/** The filter of a log; days as `YYYY-MM-DD`. */
export interface DeliveryFilter {
  state?: DeliveryState | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

interface IntegrationSearch extends DeliveryFilter {
  tab?: 'settings' | 'verify' | undefined;
}

type Raw = Record<string, unknown>;

const STATES: readonly string[] = ['pending', 'delivered', 'exhausted', 'cancelled'];

export function readIntegrationSearch({ tab, state, since, until }: Raw): IntegrationSearch {
  return {
    ...((tab === 'settings' || tab === 'verify') && { tab }),
    ...(typeof state === 'string' && STATES.includes(state) && { state: state as DeliveryState }),
    ...(isDay(since) && { since }),
    ...(isDay(until) && { until }),
  };
}

export function readNewIntegration({ provider }: Raw): { provider?: string } {
  return typeof provider === 'string' && /^[a-z0-9_]{1,30}$/.test(provider) ? { provider } : {};
}
