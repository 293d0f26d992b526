import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Context } from '../context.ts';
import { tooManyAttempts } from './errors.ts';
import { clientNetwork } from './network/client-network.ts';
import { isProgramOfThisMachine } from './network/own-machine.ts';
import { RequestCounts } from './request-counts.ts';
import { withFirst } from './route-hooks.ts';

/** POST requests per minute from one address to one form. */
const ANSWERS_PER_MINUTE = 300;
/** Limit for reports of a visit's progress; counted separately, so that a class behind one address can answer. */
const PROGRESS_PER_MINUTE = 1_200;
/** Limit for the parts of large files, also counted separately. */
const PARTS_PER_MINUTE = 1_200;
/** Requests per minute of one token, or of one signed-in user. */
const CALLS_PER_MINUTE = 600;
/** All other requests per minute without credentials from one address. */
const PUBLIC_REQUESTS_PER_MINUTE = 600;
const WINDOW_MS = 60_000;

type Key = (request: FastifyRequest) => string;

/** Answers 429 with Retry-After when a client asks too often. Programs on this machine that ask for themselves are exempt. */
export async function installRateLimits(app: FastifyInstance, { config }: Context): Promise<void> {
  if (!config.rateLimits) return;
  await app.register(rateLimit, { global: false, store: RequestCounts });
  const limitAnswers = limiter(app, ANSWERS_PER_MINUTE, addressAndForm);
  const limitProgress = limiter(app, PROGRESS_PER_MINUTE, addressAndForm);
  const limitParts = limiter(app, PARTS_PER_MINUTE, addressAndForm);
  const limitCalls = limiter(app, CALLS_PER_MINUTE, tokenOrUser);
  const limitPublic = limiter(app, PUBLIC_REQUESTS_PER_MINUTE, address);

  app.addHook('onRoute', (route) => {
    // Preflight requests of browsers: a page would not see why one was refused.
    if (route.method === 'OPTIONS') return;
    // Runs after onRequest, where the guard finds out who is calling, and before the body is read.
    route.preParsing = withFirst(limitOf(route), route.preParsing);
  });

  function limitOf({ config, method, url }: RouteOptions) {
    if (config?.access?.kind !== 'public') return limitCalls;
    if (method === 'PATCH') return limitParts;
    if (method !== 'POST' || !url.includes('/:form')) return limitPublic;
    return url.endsWith('/progress') ? limitProgress : limitAnswers;
  }
}

function limiter(app: FastifyInstance, max: number, keyGenerator: Key) {
  const count = app.createRateLimit({ max, timeWindow: WINDOW_MS, keyGenerator });
  return (
    request: FastifyRequest,
    reply: FastifyReply,
    _body: unknown,
    done: (error?: Error | null) => void,
  ) => {
    if (isProgramOfThisMachine(request)) return done();
    count(request).then((state) => done(state.isAllowed ? null : answerFor(reply, state)), done);
  };
}

function answerFor(
  reply: FastifyReply,
  state: { max: number; remaining: number; isExceeded: boolean; ttlInSeconds: number },
) {
  reply.headers({ 'x-ratelimit-limit': state.max, 'x-ratelimit-remaining': state.remaining });
  return state.isExceeded ? tooManyAttempts(state.ttlInSeconds) : null;
}

function address({ ip }: FastifyRequest): string {
  return clientNetwork(ip);
}

/** Lower case, as UUIDs in any letter case name the same form; slugs have no capitals. */
function addressAndForm(request: FastifyRequest): string {
  return `${address(request)} ${(request.params as { form: string }).form.toLowerCase()}`;
}

function tokenOrUser(request: FastifyRequest): string {
  const { caller } = request;
  if (caller === null) return address(request);
  return caller.tokenId === null ? `user ${caller.userId}` : `token ${caller.tokenId}`;
}
