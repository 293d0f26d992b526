import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { bumpRevisionsOfWorkspace } from '../forms/queries.ts';
import { notFound } from '../http/errors.ts';
import { lockWorkspace, updateSettings, type WantedSettings, type Workspace } from './queries.ts';

/** Changes the named settings. Forms are checked by the size of files, so all of them are read again. */
export async function changeSettings(
  { db, publishedForms }: Context,
  id: number,
  settings: WantedSettings,
  actor: Actor,
): Promise<Workspace> {
  const { workspace, formIds } = await db.transaction().execute(async (trx) => {
    // A form that is added or moved here at this moment comes before, and is read again, or comes afterwards.
    if (!(await lockWorkspace(trx, id))) throw notFound('Workspace');
    const updated = await updateSettings(trx, id, settings);
    const { maxFileSize, linkHours } = settings;
    const details = {
      ...(maxFileSize !== undefined && { max_file_size: maxFileSize }),
      ...(linkHours !== undefined && { link_hours: linkHours }),
    };
    await recordEvent(trx, actor, { verb: 'workspace.changed', workspaceId: id, details });
    return { workspace: updated, formIds: await bumpRevisionsOfWorkspace(trx, id) };
  });
  for (const formId of formIds) publishedForms.forget(formId);
  return workspace;
}
