import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db } from '../db/database.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import { deletePicture, findFormsShowing, holdFormsOfWorkspace } from './queries.ts';

/**
 * Removes a picture that no form of the workspace shows. What is being saved there at this moment comes before, and counts.
 * @throws HttpError 404, or 409 with the titles of the forms that show it
 */
export async function removePicture(db: Db, workspaceId: number, name: string, actor: Actor): Promise<void> {
  // Most that cannot be removed is told here, and holds nobody up.
  await refuseShown(db, workspaceId, name);
  await db.transaction().execute(async (trx) => {
    if (!(await lockWorkspace(trx, workspaceId))) throw notFound('Workspace');
    await holdFormsOfWorkspace(trx, workspaceId);
    await refuseShown(trx, workspaceId, name);
    if (!(await deletePicture(trx, workspaceId, name))) throw notFound('Picture');
    await recordEvent(trx, actor, { verb: 'picture.removed', workspaceId, target: { id: null, name } });
  });
}

async function refuseShown(db: Db, workspaceId: number, name: string): Promise<void> {
  const forms = await findFormsShowing(db, workspaceId, name);
  if (forms.length > 0)
    throw new HttpError(409, 'Forms show this picture.', { error: 'picture_in_use', forms });
}
