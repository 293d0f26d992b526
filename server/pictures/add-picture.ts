import { createHash } from 'node:crypto';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Db } from '../db/database.ts';
import { invalid, notFound } from '../http/errors.ts';
import { lockWorkspace } from '../workspaces/queries.ts';
import { endingFor } from './picture-kind.ts';
import { countOtherPictures, type Picture, upsertPicture } from './queries.ts';

/** Bytes of one picture. */
export const MAX_SIZE = 2 * 1024 * 1024;
/** Pictures of one workspace. */
const MAX_PICTURES = 1_000;
/** Bytes of all pictures of a workspace: they are in the database and in every backup. */
const MAX_TOTAL = 200 * 1024 * 1024;

/**
 * Stores a picture for the forms of a workspace, under a name derived from its content.
 * @throws HttpError 422 on `picture` when browsers cannot show it, or there are too many
 */
export async function addPicture(
  db: Db,
  workspaceId: number,
  content: Buffer,
  actor: Actor,
): Promise<Picture> {
  const ending = endingFor(content);
  if (ending === null) throw refusal('The picture must be a PNG, JPEG, GIF, WebP, AVIF or SVG.');
  const name = `${createHash('sha256').update(content).digest('hex')}.${ending}`;
  return db.transaction().execute(async (trx) => {
    if (!(await lockWorkspace(trx, workspaceId))) throw notFound('Workspace');
    const others = await countOtherPictures(trx, workspaceId, name);
    if (others.count >= MAX_PICTURES || others.size + content.length > MAX_TOTAL)
      throw refusal('There are too many pictures in this workspace. Remove some that no form shows.');
    await recordEvent(trx, actor, { verb: 'picture.added', workspaceId, target: { id: null, name } });
    return upsertPicture(trx, workspaceId, { name, content });
  });
}

function refusal(message: string) {
  return invalid({ picture: [message] });
}
