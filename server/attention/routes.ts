import { isAtLeast } from '../access/abilities.ts';
import { callerOf, WORKSPACE_READING, workspaceOf } from '../access/guard.ts';
import type { Context } from '../context.ts';
import type { App } from '../http/app-type.ts';
import { readAttention } from './present-attention.ts';
import { attentionSchema } from './schemas.ts';

export function registerAttentionRoute(app: App, { db }: Context): void {
  app.get(
    '/open/workspaces/:workspaceId/attention',
    { config: WORKSPACE_READING, schema: attentionSchema },
    async (request) => {
      const { id, role } = workspaceOf(request);
      // Who may not list the integrations of a form hears nothing of them here either.
      const seesIntegrations =
        callerOf(request).abilities.has('manage-integrations') && isAtLeast(role, 'user');
      return { data: await readAttention(db, id, { seesIntegrations }) };
    },
  );
}
