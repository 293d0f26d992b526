import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { clientNetwork } from '../http/client-network.ts';
import { tooManyAttempts } from '../http/errors.ts';
import { withFirst } from '../http/route-hooks.ts';
import { insertFailedGuess, listPausedAddresses } from './guess-queries.ts';
import { WITH_ADDRESSES } from './guesses.ts';
import { isOneClient } from './one-client.ts';

const SUBJECT = 'forms';
/** How late a process may learn that an address has to wait because of what it asked another process. */
const REFRESH_MS = 1_000;
/** Addresses that wait; of more the latest. */
const MAX_PAUSED = 10_000;
/** Addresses with names they asked for in vain: a dead link that is opened again and again is one miss. */
const MAX_REMEMBERED = 20_000;

/**
 * Makes an address that invents names of forms wait: after so many unknown ones every public address of a form answers
 * it 429. A form that is known costs nothing: the addresses that wait are kept in memory and asked for once a second.
 */
export function installSlugGuessLimit(app: FastifyInstance, context: Context): void {
  const { config, db } = context;
  if (!config.rateLimits) return;
  const misses = new Set<string>();
  /** Until when an address waits, by `performance.now()`. */
  let paused = new Map<string, number>();
  let refreshedAt = Number.NEGATIVE_INFINITY;

  app.addHook('onRoute', (route) => {
    const isPublic = route.config?.access?.kind === 'public';
    if (!isPublic || !route.url.includes('/:form') || route.method === 'OPTIONS') return;
    route.onRequest = withFirst(refusePaused, route.onRequest);
    route.onSend = withFirst(countMiss, route.onSend);
  });

  async function refusePaused(request: FastifyRequest): Promise<void> {
    if (!isOneClient(config, request)) return;
    if (performance.now() - refreshedAt > REFRESH_MS) await refresh();
    const secondsLeft = ((paused.get(clientNetwork(request.ip)) ?? 0) - performance.now()) / 1000;
    if (secondsLeft > 0) throw tooManyAttempts(secondsLeft);
  }

  async function refresh(): Promise<void> {
    const now = performance.now();
    refreshedAt = now;
    // Without a database the form is not found either.
    const rows = await listPausedAddresses(db, SUBJECT, WITH_ADDRESSES, MAX_PAUSED).catch(() => null);
    if (rows) paused = new Map(rows.map(({ address, seconds }) => [address, now + seconds * 1000]));
  }

  async function countMiss(request: FastifyRequest, reply: { statusCode: number }, payload: unknown) {
    if (reply.statusCode === 404 && isOneClient(config, request)) await noteMiss(request);
    return payload;
  }

  async function noteMiss(request: FastifyRequest): Promise<void> {
    const network = clientNetwork(request.ip);
    const miss = `${network} ${(request.params as { form: string }).form.toLowerCase()}`;
    if (misses.has(miss)) return;
    misses.add(miss);
    if (misses.size > MAX_REMEMBERED) forgetOldest();
    const seconds = await insertFailedGuess(db, SUBJECT, network, WITH_ADDRESSES).catch(() => 0);
    if (seconds > 0) paused.set(network, performance.now() + seconds * 1000);
  }

  function forgetOldest(): void {
    const [oldest] = misses;
    if (oldest !== undefined) misses.delete(oldest);
  }
}
