import { callerOf, workspaceOf } from '../access/guard.ts';
import { WorkspaceParams } from '../access/path-params.ts';
import { actorOf } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { finishDeletion } from '../forms/saving/delete-form.ts';
import type { App } from '../http/app-type.ts';
import { notFound } from '../http/errors.ts';
import { success } from '../http/schemas/success.ts';
import type { Mailer } from '../mail/mailer.ts';
import { changeSettings } from './change-settings.ts';
import { createWorkspace } from './create-workspace.ts';
import { deleteWorkspace } from './delete-workspace.ts';
import { type ListedWorkspace, listWorkspaces, updateWorkspace, type Workspace } from './queries.ts';
import {
  SettingsBody,
  SettingsUpdated,
  WorkspaceBody,
  WorkspaceCreated,
  WorkspaceDeleted,
  WorkspaceList,
  WorkspaceUpdated,
} from './schemas.ts';

export function registerWorkspaceRoutes(app: App, context: Context): void {
  const tags = ['Workspaces'];
  const changing = { kind: 'workspace', ability: 'workspaces-write', role: 'admin', in: 'path' } as const;

  app.get(
    '/open/workspaces',
    {
      config: { access: { kind: 'own', ability: 'workspaces-read' } },
      schema: { tags, summary: 'List your workspaces', response: { 200: WorkspaceList } },
    },
    async (request) => {
      const { userId } = callerOf(request);
      return (await listWorkspaces(context.db, userId)).map((row) =>
        presentListed(row, userId, context.mailer),
      );
    },
  );

  app.post(
    '/open/workspaces/create',
    {
      config: { access: { kind: 'own', ability: 'workspaces-write' } },
      schema: {
        tags,
        summary: 'Create a workspace',
        body: WorkspaceBody,
        response: { 200: WorkspaceCreated },
      },
    },
    async (request) => {
      const wanted = { name: request.body.name.trim(), icon: iconOf(request.body) ?? '' };
      const creatorId = callerOf(request).userId;
      const workspace = await context.db
        .transaction()
        .execute((trx) => createWorkspace(trx, wanted, creatorId, actorOf(request)));
      return success('Workspace created.', {
        workspace_id: workspace.id,
        workspace: { ...present(workspace), settings: workspace.settings },
      });
    },
  );

  app.put(
    '/open/workspaces/:workspaceId',
    {
      config: { access: changing },
      schema: {
        tags,
        summary: 'Rename a workspace or change its icon',
        params: WorkspaceParams,
        body: WorkspaceBody,
        response: { 200: WorkspaceUpdated },
      },
    },
    async (request) => {
      const wanted = { name: request.body.name.trim(), icon: iconOf(request.body) };
      const { id } = workspaceOf(request);
      const workspace = await context.db.transaction().execute(async (trx) => {
        const updated = await updateWorkspace(trx, id, wanted);
        if (!updated) throw notFound('Workspace');
        await recordEvent(trx, actorOf(request), { verb: 'workspace.changed', workspaceId: id });
        return updated;
      });
      return success('Workspace updated.', { workspace: present(workspace) });
    },
  );

  app.put(
    '/open/workspaces/:workspaceId/settings',
    {
      config: { access: changing },
      schema: {
        tags,
        summary: 'Change the settings of a workspace',
        description: 'Settings that the body does not name stay as they are.',
        params: WorkspaceParams,
        body: SettingsBody,
        response: { 200: SettingsUpdated },
      },
    },
    async (request) => {
      const { max_file_size: maxFileSize, external_file_links: links } = request.body;
      const settings = { maxFileSize, linkHours: links === null ? null : links?.expires_in_hours };
      const { id } = workspaceOf(request);
      const workspace = await changeSettings(context, id, settings, actorOf(request));
      return success('Workspace updated.', {
        workspace: { ...present(workspace), settings: workspace.settings },
      });
    },
  );

  app.delete(
    '/open/workspaces/:workspaceId',
    {
      config: { access: changing },
      schema: {
        tags,
        summary: 'Delete a workspace with everything in it',
        params: WorkspaceParams,
        response: { 200: WorkspaceDeleted },
      },
    },
    async (request) => {
      const { id } = workspaceOf(request);
      const forms = await context.db
        .transaction()
        .execute((trx) => deleteWorkspace(trx, id, actorOf(request)));
      await finishDeletion(context, forms);
      return success('Workspace successfully deleted.', { workspace_id: id });
    },
  );
}

/** Undefined when the body has none, `''` to clear it. */
function iconOf({ emoji, icon }: { emoji?: string | null; icon?: string | null }): string | undefined {
  const wanted = emoji === undefined ? icon : emoji;
  return wanted === undefined ? undefined : (wanted ?? '').trim();
}

/** Only admins create or change a workspace, so for them it is not read-only. */
function present({ id, name, icon, max_file_size }: Workspace) {
  return { id, name, icon, max_file_size, is_readonly: false };
}

/** Connectors of this API family look for the role in `pivot`. */
function presentListed(row: ListedWorkspace, userId: number, { isConfigured }: Mailer) {
  return {
    ...present(row),
    is_readonly: row.role === 'readonly',
    settings: row.settings,
    role: row.role,
    is_admin: row.role === 'admin',
    users_count: row.users_count,
    mail_is_set_up: isConfigured || row.has_mail_server,
    takes_payments: row.takes_payments,
    pivot: { user_id: userId, workspace_id: row.id, role: row.role },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
