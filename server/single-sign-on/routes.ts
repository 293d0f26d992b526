import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '../access/authenticate.ts';
import { recordFailedGuess, refuseWhileGuessing, WITH_ADDRESSES } from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import { personOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { HttpError, unknownAddress } from '../http/errors.ts';
import { connect } from './connect.ts';
import { registerConnectionRoutes } from './connection-routes.ts';
import { enter } from './enter.ts';
import { accountOfTicket, type Flow, forgetFlow, keepFlow, keptFlow, safeNext } from './flow.ts';
import { type Problem, SignOnProblem } from './problem.ts';
import type { Provider } from './provider.ts';
import { StartQuery } from './schemas.ts';

const SECURITY_SCREEN = '/account/security';
/** What failed at the provider, for all accounts together. */
const GUESSES = 'single-sign-on';

/** Single sign-on by OpenID Connect: the way to the provider, and back. Browsers come here, so every answer leads to a screen. */
export function registerSingleSignOnRoutes(app: App, context: Context): void {
  const config = { access: { kind: 'public' } } as const;

  app.get(
    '/auth/oidc',
    { config, schema: { hide: true, querystring: StartQuery } },
    async (request, reply) => {
      const provider = requireProvider(context);
      const { next, connect: ticket } = request.query;
      const connects = ticket === undefined ? null : accountOfTicket(context, ticket);
      const isConnecting = ticket !== undefined;
      const way = { next: isConnecting ? SECURITY_SCREEN : safeNext(next), connects };
      try {
        if (isConnecting && connects === null) throw new SignOnProblem('expired');
        const { address, checks } = await provider.begin();
        keepFlow(context, reply, { ...way, checks });
        return reply.redirect(address);
      } catch (error) {
        return reply.redirect(afterProblem(context, error, way.next, isConnecting));
      }
    },
  );

  app.get('/auth/oidc/callback', { config, schema: { hide: true } }, async (request, reply) => {
    const provider = requireProvider(context);
    const flow = keptFlow(context, request);
    try {
      if (flow === null || stateOf(request) !== flow.checks.state) throw new SignOnProblem('expired');
      forgetFlow(context, reply);
      return reply.redirect(await arrive(request, reply, provider, flow));
    } catch (error) {
      const isConnecting = flow !== null && flow.connects !== null;
      return reply.redirect(afterProblem(context, error, flow?.next ?? '/', isConnecting));
    }
  });

  registerConnectionRoutes(app, context);

  async function arrive(request: FastifyRequest, reply: FastifyReply, provider: Provider, flow: Flow) {
    const { connects, checks, next } = flow;
    // Whoever was signed out meanwhile, or is somebody else, connects nothing.
    if (connects !== null && (await signedIn(request)) !== connects) throw new SignOnProblem('expired');
    const arrival = await countingFailures(request, () => provider.finish(queryOf(request), checks));
    if (connects === null) return enter(context, request, reply, arrival, next);
    const actor = personOf(request, connects);
    await context.db.transaction().execute((trx) => connect(trx, connects, arrival, actor));
    return next;
  }

  async function signedIn(request: FastifyRequest): Promise<number | null> {
    const caller = await authenticate(context, request);
    return caller?.tokenId === null ? caller.userId : null;
  }

  /** Who comes with codes that were made up makes us ask the provider. */
  async function countingFailures<Result>(request: FastifyRequest, work: () => Promise<Result>) {
    if (!isOneClient(context.config, request)) return work();
    await refuseWhileGuessing(context.db, GUESSES, request.ip, WITH_ADDRESSES);
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignOnProblem && error.problem === 'failed')
        await recordFailedGuess(context.db, GUESSES, request.ip, WITH_ADDRESSES);
      throw error;
    }
  }
}

function requireProvider({ singleSignOn }: Context): Provider {
  if (!singleSignOn) throw unknownAddress();
  return singleSignOn;
}

function queryOf({ url }: FastifyRequest): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at);
}

function stateOf(request: FastifyRequest): string | null {
  return new URLSearchParams(queryOf(request)).get('state');
}

/** The screen that says what went wrong. What the operator has to see to is logged. */
function afterProblem({ log }: Context, error: unknown, next: string, isConnecting: boolean): string {
  const problem = problemOf(error);
  if (problem === 'failed' || problem === 'unreachable') {
    const cause = error instanceof SignOnProblem ? error.cause : error;
    log.warn({ err: cause, reason: reasonOf(cause) }, `single sign-on: ${problem}`);
  }
  const query = new URLSearchParams({ problem, ...(next !== '/' && { next }) });
  return isConnecting ? `${SECURITY_SCREEN}?problem=${problem}` : `/sign-in?${query}`;
}

function problemOf(error: unknown): Problem {
  if (error instanceof SignOnProblem) return error.problem;
  return error instanceof HttpError && error.statusCode === 429 ? 'busy' : 'failed';
}

/** The word of the provider, such as `invalid_client`, or of the network; never its sentences, which may repeat anything. */
function reasonOf(cause: unknown): string | undefined {
  const { error, cause: inner } = cause as { error?: unknown; cause?: { code?: unknown } };
  const word = error ?? inner?.code;
  return typeof word === 'string' && /^\w{1,64}$/.test(word) ? word : undefined;
}
