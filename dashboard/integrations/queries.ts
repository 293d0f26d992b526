import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../api/client.ts';
import { startOfDay } from '../lib/days.ts';
import type { DeliveryFilter } from './search.ts';

type OneIntegration = '/open/forms/{form}/integrations/{integrationId}';
export type Integration = Answer<OneIntegration>;
export type Delivery = Answer<`${OneIntegration}/deliveries`>[number];
export type DeliveryState = Delivery['state'];
export type LoggedDelivery = Answer<`${OneIntegration}/deliveries/{deliveryId}`>;
export type TestResult = Answer<`${OneIntegration}/test`, 'post'>;

/** Deliveries loaded at a time, and the most that are counted. */
const PAGE = 50;
export const MOST_COUNTED = 100;
/** Milliseconds between two loads if something may change any moment, and while the next attempt is far away. */
const SOON_MS = 2_000;
const LATER_MS = 15_000;
const NEAR_MS = 60_000;

export const integrationsQuery = (form: string) =>
  queryOptions({
    queryKey: ['forms', form, 'integrations'],
    queryFn: ({ signal }) => api.get('/open/forms/{form}/integrations', { path: { form }, signal }),
  });

export const integrationQuery = (form: string, integrationId: string) =>
  queryOptions({
    queryKey: ['forms', form, 'integrations', integrationId],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/integrations/{integrationId}', { path: { form, integrationId }, signal }),
  });

/** The number of waiting deliveries, up to `MOST_COUNTED`. */
export const waitingQuery = (form: string, integrationId: string) =>
  queryOptions({
    queryKey: ['forms', form, 'integrations', integrationId, 'waiting'],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/integrations/{integrationId}/deliveries', {
        path: { form, integrationId },
        query: { state: 'pending', limit: MOST_COUNTED },
        signal,
      }),
    refetchInterval: ({ state }) => interval(state.data ?? []),
  });

export const deliveriesQuery = (form: string, integrationId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: ['forms', form, 'integrations', integrationId, 'deliveries', filter],
    queryFn: ({ pageParam, signal }) =>
      api.get('/open/forms/{form}/integrations/{integrationId}/deliveries', {
        path: { form, integrationId },
        query: { limit: PAGE, ...(pageParam && { before: pageParam }), ...rangeOf(filter) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    // Loaded again on every visit; while the log is empty, also repeatedly, to show the first delivery.
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const deliveries = state.data?.pages.flat() ?? [];
      return deliveries.length === 0 ? LATER_MS : interval(deliveries);
    },
  });

/** The number of deliveries by state, in the filter's time. */
export const deliveryCountsQuery = (form: string, integrationId: string, { since, until }: DeliveryFilter) =>
  queryOptions({
    queryKey: ['forms', form, 'integrations', integrationId, 'counts', { since, until }],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/integrations/{integrationId}/deliveries/count', {
        path: { form, integrationId },
        query: rangeOf({ since, until }),
        signal,
      }),
    // Counted once, because a number that must be typed to confirm must not change.
    staleTime: 0,
  });

export const deliveryQuery = (form: string, integrationId: string, deliveryId: string) =>
  queryOptions({
    queryKey: ['forms', form, 'integrations', integrationId, 'deliveries', deliveryId],
    queryFn: ({ signal }) =>
      api.get('/open/forms/{form}/integrations/{integrationId}/deliveries/{deliveryId}', {
        path: { form, integrationId, deliveryId },
        signal,
      }),
    refetchInterval: ({ state }) => interval(state.data ? [state.data] : []),
  });

/** The filter as the API takes it: days are in the browser's time zone, and the last one is included. */
export function rangeOf({ state, since, until }: DeliveryFilter) {
  return {
    ...(state && { state }),
    ...(since && { since: startOfDay(since) }),
    ...(until && { until: startOfDay(until, 1) }),
  };
}

/** Not loaded again while nothing waits. */
function interval(deliveries: readonly Pick<Delivery, 'state' | 'next_attempt_at'>[]): number | false {
  const waiting = deliveries.filter(({ state }) => state === 'pending');
  if (waiting.length === 0) return false;
  const times = waiting.flatMap(({ next_attempt_at: time }) => (time ? [Date.parse(time)] : []));
  return Math.min(...times) - Date.now() < NEAR_MS ? SOON_MS : LATER_MS;
}
