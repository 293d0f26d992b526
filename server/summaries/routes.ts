import { callerOf, WORKSPACE_READING, workspaceOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { invalid } from '../http/errors.ts';
import { success } from '../http/schemas/success.ts';
import { canMail, NO_MAIL_SERVER } from '../mail/can-mail.ts';
import { deleteSummaryMail, findSummaryMail, saveSummaryMail } from './queries.ts';
import { readSchema, saveSchema } from './schemas.ts';

const PATH = '/open/workspaces/:workspaceId/summary-mails';

const choosing = { kind: 'workspace', ability: 'workspaces-write', role: 'readonly', in: 'path' } as const;

/** Every member decides for themselves, so nothing of this is in the audit log. */
export function registerSummaryMailRoutes(app: App, context: Context): void {
  const { db } = context;

  app.get(PATH, { config: WORKSPACE_READING, schema: readSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const { userId } = callerOf(request);
    const [every, can_mail] = await Promise.all([
      findSummaryMail(db, { workspaceId: id, userId }),
      canMail(context, id),
    ]);
    return { every, can_mail };
  });

  app.put(PATH, { config: { access: choosing }, schema: saveSchema }, async (request) => {
    const { id } = workspaceOf(request);
    const { every } = request.body;
    const member = { workspaceId: id, userId: callerOf(request).userId };
    if (every === null) await deleteSummaryMail(db, member);
    else if (await canMail(context, id)) await saveSummaryMail(db, member, every);
    else throw invalid({ every: [NO_MAIL_SERVER] });
    return success('Saved.');
  });
}
