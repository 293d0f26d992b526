import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { tooManyAttempts } from '../http/errors.ts';
import { clientNetwork } from '../http/network/client-network.ts';
import { withFirst } from '../http/route-hooks.ts';
import { insertFailedGuess, listPausedAddresses } from './guess-queries.ts';
import { WITH_ADDRESSES } from './guesses.ts';
import { isOneClient } from './one-client.ts';

const SUBJECT = 'forms';
/** Delay until a process learns of an address that another process made wait. */
const REFRESH_MS = 1_000;
/** Waiting addresses kept in memory, the latest ones. */
const MAX_PAUSED = 10_000;
/** Pairs of address and unknown name: a dead link opened again and again is one miss. */
const MAX_REMEMBERED = 20_000;

/**
 * Slows down addresses that invent names of forms: after too many unknown names every public form address answers them
 * 429. Known forms cost no query: waiting addresses are kept in memory, refreshed once a second.
 */
export function installSlugGuessLimit(app: FastifyInstance, context: Context): void {
  const { config, db } = context;
  if (!config.rateLimits) return;
  const misses = new Set<string>();
  /** The end of each address's pause, by `performance.now()`. */
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
    // Without a database no form is found either.
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
