import { callerOf, WORKSPACE_READING, workspaceOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { success } from '../http/success.ts';
import { findMailServer } from '../mail/queries.ts';
import { deleteSummaryMail, findSummaryMail, saveSummaryMail } from './queries.ts';
import { readSchema, saveSchema } from './schemas.ts';

const PATH = '/open/workspaces/:workspaceId/summary-mails';

const choosing = { kind: 'workspace', ability: 'workspaces-write', role: 'readonly', in: 'path' } as const;

/** Every member decides for themselves, so nothing of this is in the audit log. */
export function registerSummaryMailRoutes(app: App, { db, mailerOf }: Context): void {
  const canMail = async (workspaceId: number) => mailerOf(await findMailServer(db, workspaceId)).isConfigured;

  app.get(PATH, { config: WORKSPACE_READING, schema: readSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const { userId } = callerOf(request);
    const [every, can_mail] = await Promise.all([
      findSummaryMail(db, { workspaceId: id, userId }),
      canMail(id),
    ]);
    return { every, can_mail };
  });

  app.put(PATH, { config: { access: choosing }, schema: saveSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const { every } = request.body;
    const member = { workspaceId: id, userId: callerOf(request).userId };
    if (every === null) await deleteSummaryMail(db, member);
    else if (await canMail(id)) await saveSummaryMail(db, member, every);
    else throw invalid({ every: ['Neither this workspace nor this service has a mail server.'] });
    return success('Saved.');
  });
}
