import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticate } from '../access/authenticate.ts';
import { recordFailedGuess, refuseWhileGuessing, WITH_ADDRESSES } from '../access/guesses.ts';
import { isOneClient } from '../access/one-client.ts';
import { personOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { unknownAddress } from '../http/errors.ts';
import { connect } from './connect.ts';
import { registerConnectionRoutes } from './connection-routes.ts';
import { enter } from './enter.ts';
import { begin, type Flow, forgetFlow, keptFlow, safeNext } from './flow.ts';
import { SignOnProblem, screenAfter } from './problem.ts';
import type { Provider } from './provider.ts';
import { StartQuery } from './schemas.ts';

/** Counts failures at the provider, for all accounts together. */
const GUESSES = 'single-sign-on';

/** Single sign-on by OpenID Connect: to the provider and back. Browsers come here, so every response leads to a screen. */
export function registerSingleSignOnRoutes(app: App, context: Context): void {
  const config = { access: { kind: 'public' } } as const;

  app.get(
    '/auth/oidc',
    { config, schema: { hide: true, querystring: StartQuery } },
    async (request, reply) => {
      const way = { next: safeNext(request.query.next), connects: null };
      return reply.redirect(await begin(context, requireProvider(context), reply, way));
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
      return reply.redirect(screenAfter(context.log, error, flow ?? { next: '/', connects: null }));
    }
  });

  registerConnectionRoutes(app, context);

  async function arrive(request: FastifyRequest, reply: FastifyReply, provider: Provider, flow: Flow) {
    const { connects, checks, next } = flow;
    const arrival = await countingFailures(request, () => provider.finish(queryOf(request), checks));
    if (connects === null) return enter(context, reply, arrival, next);
    // Checked last: a person who was signed out meanwhile, or is somebody else, connects nothing.
    if ((await signedIn(request)) !== connects) throw new SignOnProblem('expired');
    const actor = personOf(request, connects);
    await context.db.transaction().execute((trx) => connect(trx, connects, arrival, actor));
    return next;
  }

  async function signedIn(request: FastifyRequest): Promise<number | null> {
    const caller = await authenticate(context, request);
    return caller?.tokenId === null ? caller.userId : null;
  }

  /** Made-up codes would make the service call the provider. */
  async function countingFailures<Result>(request: FastifyRequest, work: () => Promise<Result>) {
    if (!isOneClient(context.config, request)) return work();
    const guesses = { subject: GUESSES, address: request.ip, patience: WITH_ADDRESSES };
    await refuseWhileGuessing(context.db, guesses);
    try {
      return await work();
    } catch (error) {
      if (error instanceof SignOnProblem && error.problem === 'failed')
        await recordFailedGuess(context.db, guesses);
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
