import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { sessionHashOf } from '../access/guard.ts';
import { personOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { success } from '../http/schemas/success.ts';
import { addUrlEncodedParser, type PostedBody } from '../public-pages/posting/posted-body.ts';
import { answerAddress, readRequest } from './authorization-request.ts';
import { clientId, placeOf, readClient } from './client.ts';
import { RESOURCE_METADATA, resourceMetadata, serverMetadata } from './metadata.ts';
import { oauthError } from './oauth-error.ts';
import {
  ClientRegistered,
  ConsentBody,
  ConsentGiven,
  ConsentQuestion,
  Refused,
  RequestQuery,
  TokenTaken,
} from './schemas.ts';
import { allow, endToken, takeToken } from './take-token.ts';

const tags = ['Programs that ask for access'];
const open = { access: { kind: 'public' } } as const;
const signedIn = { access: { kind: 'session' } } as const;

/**
 * Programs that ask for access, such as assistants on other machines: OAuth 2.1 with the parts that the Model Context
 * Protocol requires. A program registers, sends a person to `/oauth/authorize`, is granted abilities on the screen
 * `/connect`, and takes an ordinary access token.
 */
export async function registerOAuthRoutes(app: App, context: Context): Promise<void> {
  for (const path of [RESOURCE_METADATA, RESOURCE_METADATA.replace(/\/mcp$/, '')])
    app.get(path, { config: open, schema: { hide: true } }, async () => resourceMetadata(context));
  app.get('/.well-known/oauth-authorization-server', { config: open, schema: { hide: true } }, async () =>
    serverMetadata(context),
  );

  app.post(
    '/oauth/register',
    {
      config: { ...open, checksOwnBody: true },
      schema: {
        tags,
        summary: 'Register a client',
        description:
          'Dynamic client registration (RFC 7591) with `redirect_uris`, and `client_name` for people to recognise. ' +
          'Nothing is stored and there is no secret: the id itself describes the client.',
        response: { 201: ClientRegistered, 400: Refused },
      },
    },
    async (request, reply) => {
      const client = readClient(request.body);
      reply.code(201);
      return {
        client_id: clientId(context.secrets, client),
        client_id_issued_at: Math.floor(Date.now() / 1000),
        client_name: client.name,
        redirect_uris: client.redirectUris,
        token_endpoint_auth_method: 'none' as const,
        grant_types: ['authorization_code' as const],
        response_types: ['code' as const],
      };
    },
  );

  app.get(
    '/oauth/authorize',
    { config: open, schema: { hide: true } },
    // A fragment is sent to no server, and survives the sign-in. The screen reports errors: a registered program must not
    // be able to have this service redirect people to any address (RFC 9700, 4.11.2).
    async ({ url }, reply) => reply.redirect(`/connect#${url.slice(url.indexOf('?') + 1)}`, 303),
  );

  app.get(
    '/oauth/consent',
    {
      config: signedIn,
      schema: {
        tags,
        summary: 'Read what a program asks for',
        description: 'Takes the parameters that the program sent to `/oauth/authorize`.',
        querystring: RequestQuery,
        response: { 200: ConsentQuestion, 400: Refused },
      },
    },
    async ({ query }) => {
      const asked = readRequest(context, query);
      const refused = { error: 'access_denied', error_description: 'The person has refused.' };
      return {
        name: asked.client.name,
        place: placeOf(asked.redirectUri),
        abilities: asked.abilities,
        refusal_url: answerAddress(context, asked, refused),
      };
    },
  );

  app.post(
    '/oauth/consent',
    {
      config: signedIn,
      schema: {
        tags,
        summary: 'Allow a program what it asks for',
        body: ConsentBody,
        response: { 200: ConsentGiven, 400: Refused },
      },
    },
    async (request) => {
      const { request: parameters, abilities, expires_in_days: expiresInDays } = request.body;
      const asked = readRequest(context, parameters);
      const consent = { sessionHash: sessionHashOf(request), abilities, expiresInDays };
      const code = await allow(context, asked, consent);
      return success(`${asked.client.name} can take its token now.`, {
        return_url: answerAddress(context, asked, { code }),
      });
    },
  );

  await app.register(async (scope) => registerTokenEndpoints(scope, context));
}

/** Endpoints that take plain forms. */
function registerTokenEndpoints(scope: FastifyInstance, context: Context): void {
  scope.removeAllContentTypeParsers();
  addUrlEncodedParser(scope);
  const consumes = ['application/x-www-form-urlencoded'];

  scope.post(
    '/oauth/token',
    {
      config: open,
      schema: {
        tags,
        consumes,
        summary: 'Exchange a code for the token',
        description:
          'RFC 6749, 4.1.3, with `grant_type`, `code`, `redirect_uri`, `client_id` and `code_verifier` as a form. ' +
          'There are no refresh tokens: the person has chosen how long the token is valid.',
        response: { 200: TokenTaken, 400: Refused },
      },
    },
    async (request) => {
      const { token, abilities, expiresAt } = await takeToken(context, parametersOf(request), (userId) =>
        personOf(request, userId),
      );
      return {
        access_token: token,
        token_type: 'Bearer' as const,
        ...(expiresAt && { expires_in: Math.floor((expiresAt.getTime() - Date.now()) / 1000) }),
        scope: abilities.join(' '),
      };
    },
  );

  scope.post(
    '/oauth/revoke',
    {
      config: open,
      schema: {
        tags,
        consumes,
        summary: 'Revoke a token',
        description:
          'RFC 7009, with `token` as a form. The response is the same when the token does not exist.',
        response: { 200: Type.Unsafe<undefined>({ type: 'null' }), 400: Refused },
      },
    },
    async (request, reply) => {
      const { token } = parametersOf(request);
      if (token === undefined) throw oauthError('invalid_request', 'token is needed.');
      await endToken(context, token, (userId) => personOf(request, userId));
      return reply.code(200).send();
    },
  );
}

/** Parameters of a form, each name once (RFC 6749, 3.2). @throws HttpError 400 `invalid_request` */
function parametersOf({ body }: FastifyRequest): Record<string, string | undefined> {
  const posted = (body ?? {}) as PostedBody;
  if (Object.values(posted).some(({ length }) => length > 1))
    throw oauthError('invalid_request', 'A parameter may come once only.');
  return Object.fromEntries(Object.entries(posted).map(([name, [value]]) => [name, value]));
}
