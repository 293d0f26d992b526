import { actorOf } from '../audit/actor.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { requireId } from '../http/schemas/ids.ts';
import { Success, success } from '../http/schemas/success.ts';
import { callerOf } from './guard.ts';
import { issueToken, revokeToken, tokenExpiry } from './issue-token.ts';
import { listTokens } from './queries.ts';
import { CreateTokenBody, TokenCreated, TokenList, TokenParams } from './schemas.ts';

type TokenRow = Awaited<ReturnType<typeof listTokens>>[number];

/** Only people make and revoke tokens: a token cannot make another one. */
export function registerTokenRoutes(app: App, context: Context): void {
  const tags = ['Access tokens'];
  const config = { access: { kind: 'session' } } as const;

  app.get(
    '/settings/tokens',
    { config, schema: { tags, summary: 'List your access tokens', response: { 200: TokenList } } },
    async (request) => (await listTokens(context.db, callerOf(request).userId)).map(presentToken),
  );

  app.post(
    '/settings/tokens',
    {
      config,
      schema: {
        tags,
        summary: 'Make an access token',
        body: CreateTokenBody,
        response: { 200: TokenCreated },
      },
    },
    async (request) => {
      const { name, abilities, expires_in_days, expires_at } = request.body;
      const wanted = {
        userId: callerOf(request).userId,
        name: name.trim(),
        abilities,
        expiresAt: tokenExpiry(expires_in_days, expires_at),
      };
      const { token, row } = await issueToken(context.db, wanted, actorOf(request));
      return success('Access token successfully created!', { token, ...presentToken(row) });
    },
  );

  app.delete(
    '/settings/tokens/:tokenId',
    {
      config,
      schema: { tags, summary: 'Revoke an access token', params: TokenParams, response: { 200: Success } },
    },
    async (request) => {
      const id = requireId(request.params.tokenId, 'Token');
      const { userId } = callerOf(request);
      if (!(await revokeToken(context.db, id, userId, actorOf(request)))) throw notFound('Token');
      return success('Access token successfully revoked.');
    },
  );
}

function presentToken(row: TokenRow) {
  return {
    id: row.id,
    name: row.name,
    abilities: row.abilities,
    token_start: row.token_start,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    status: row.status,
  };
}
