import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { Access } from '../../access/guard.ts';
import type { Context } from '../../context.ts';
import type { App } from '../app-type.ts';
import { apiPage, apiPagePolicy } from './api-page.ts';
import { type ApiDocument, completeOperations } from './openapi-operations.ts';
import { WEBHOOKS } from './openapi-webhooks.ts';

const PAGE_CACHE = 'public, max-age=300';
/** Version of the interface, not of the program. Paths have no version, so the interface only ever gets additions. */
const INTERFACE_VERSION = '1.0.0';

const INTRODUCTION =
  'Build forms, collect answers, push each one on, export them. Requests and responses are JSON. Errors carry `message`; ' +
  '422 adds `errors`, a list of messages for each invalid key. Authenticated calls take an access token as ' +
  '`Authorization: Bearer <token>`.';

/** Describes all routes registered afterwards: `/openapi.json`, and `/api` for people. */
export async function registerOpenApi(app: App, context: Context): Promise<void> {
  await app.register(swagger, options());
  app.addHook('onRoute', (route) => {
    const { access } = route.config ?? {};
    if (access) route.schema = { ...route.schema, ...securityOf(access) };
  });

  const config = { access: { kind: 'public' } } as const;
  let json: string | undefined;
  let page: string | undefined;
  app.get('/openapi.json', { config, schema: { hide: true } }, async (_request, reply) => {
    json ??= JSON.stringify(apiDocument(app, context.baseUrl()));
    return reply.header('cache-control', PAGE_CACHE).type('application/json; charset=utf-8').send(json);
  });
  app.get('/api', { config, schema: { hide: true } }, async (_request, reply) => {
    page ??= apiPage(apiDocument(app, context.baseUrl()), context.baseUrl());
    return reply
      .headers({ 'cache-control': PAGE_CACHE, 'content-security-policy': apiPagePolicy })
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

/** The OpenAPI 3.1 document of this service. */
export function apiDocument(app: App, baseUrl: string): ApiDocument {
  return { ...(app.swagger() as unknown as ApiDocument), webhooks: WEBHOOKS, servers: [{ url: baseUrl }] };
}

function options(): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Formstead', version: INTERFACE_VERSION, description: INTRODUCTION },
      components: {
        securitySchemes: {
          token: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token with the abilities the call needs.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'formstead_session',
            description:
              'The session of a signed-in person. Over HTTPS the cookie is `__Host-formstead_session`.',
          },
        },
      },
    },
    transformObject: (found) =>
      completeOperations((found as { openapiObject: unknown }).openapiObject as ApiDocument) as never,
  };
}

/** The access that the guard enforces, as OpenAPI describes it: both read the same declaration. */
function securityOf(access: Access) {
  if (access.kind === 'public') return { security: [] };
  if (access.kind === 'session') return { security: [{ session: [] }] };
  if (access.kind === 'token') return { security: [{ token: [] }] };
  return {
    security: [{ token: [] }, { session: [] }],
    ...('ability' in access && { 'x-required-ability': access.ability }),
    ...('role' in access && { 'x-required-role': access.role }),
  };
}
