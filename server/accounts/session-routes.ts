import { callerOf, sessionHashOf } from '../access/guard.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { requireId } from '../http/schemas/ids.ts';
import { Success, success } from '../http/schemas/success.ts';
import { SessionList, SessionParams, SessionsEnded } from './schemas.ts';
import { deleteOtherSessions, deleteSession, deleteSessionById, listSessions } from './session-queries.ts';
import { clearSessionCookie } from './sessions.ts';

/** Lists and ends the sessions of the caller. */
export function registerSessionRoutes(app: App, context: Context): void {
  const tags = ['Accounts'];
  const config = { access: { kind: 'session' } } as const;

  app.post(
    '/logout',
    { config, schema: { tags, summary: 'End this session', response: { 200: Success } } },
    async (request, reply) => {
      const hash = sessionHashOf(request);
      await context.db.transaction().execute(async (trx) => {
        const id = await deleteSession(trx, hash);
        if (id !== null)
          await recordEvent(trx, actorOf(request), { verb: 'session.ended', target: { id, name: null } });
      });
      clearSessionCookie(context, reply);
      return success('You are signed out.');
    },
  );

  app.get(
    '/settings/sessions',
    {
      config,
      schema: { tags, summary: 'List your sessions', response: { 200: SessionList } },
    },
    async (request) => {
      const sessions = await listSessions(context.db, callerOf(request).userId, sessionHashOf(request));
      return sessions.map((session) => ({
        ...session,
        created_at: session.created_at.toISOString(),
        last_used_at: session.last_used_at.toISOString(),
        ends_at: session.ends_at.toISOString(),
      }));
    },
  );

  app.delete(
    '/settings/sessions/:sessionId',
    {
      config,
      schema: { tags, summary: 'End one session', params: SessionParams, response: { 200: Success } },
    },
    async (request) => {
      const id = requireId(request.params.sessionId, 'Session');
      const { userId } = callerOf(request);
      await context.db.transaction().execute(async (trx) => {
        if (!(await deleteSessionById(trx, userId, id))) throw notFound('Session');
        await recordEvent(trx, actorOf(request), { verb: 'session.revoked', target: { id, name: null } });
      });
      return success('The session has been ended.');
    },
  );

  app.delete(
    '/settings/sessions',
    {
      config,
      schema: { tags, summary: 'End all sessions but this one', response: { 200: SessionsEnded } },
    },
    async (request) => {
      const { userId } = callerOf(request);
      const ended = await context.db.transaction().execute(async (trx) => {
        const count = await deleteOtherSessions(trx, userId, sessionHashOf(request));
        await recordEvent(trx, actorOf(request), { verb: 'session.others_revoked', details: { count } });
        return count;
      });
      return success('All other sessions have been ended.', { ended });
    },
  );
}
