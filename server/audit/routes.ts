import { workspaceOf } from '../access/guard.ts';
import { WorkspaceParams } from '../access/path-params.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { momentOf } from '../http/schemas/moments.ts';
import { presentAuditEvent } from './present-event.ts';
import { findAuditEvents } from './queries.ts';
import { AuditEventList, AuditQuery, MAX_EVENTS } from './schemas.ts';

export function registerAuditRoutes(app: App, context: Context): void {
  app.get(
    '/open/workspaces/:workspaceId/audit-log',
    {
      config: { access: { kind: 'workspace', ability: 'workspaces-write', role: 'admin', in: 'path' } },
      schema: {
        tags: ['Workspaces'],
        summary: 'List the audit log of a workspace',
        description: 'Latest first, kept for 400 days. Events cannot be changed.',
        params: WorkspaceParams,
        querystring: AuditQuery,
        response: { 200: AuditEventList },
      },
    },
    async (request) => {
      const { limit = MAX_EVENTS, before, user_id, form_id, verb, since, until } = request.query;
      const events = await findAuditEvents(context.db, {
        workspaceId: workspaceOf(request).id,
        userId: user_id,
        formId: form_id,
        verb: storable('verb', verb),
        since: since === undefined ? undefined : momentOf('since', since),
        until: until === undefined ? undefined : momentOf('until', until),
        before,
        limit,
      });
      return events.map(presentAuditEvent);
    },
  );
}

/** PostgreSQL cannot store U+0000 in a text. */
function storable(key: string, text: string | undefined): string | undefined {
  if (text?.includes('\0')) throw invalid({ [key]: [`The ${key} format is invalid.`] });
  return text;
}
