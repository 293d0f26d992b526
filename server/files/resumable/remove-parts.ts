import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { deleteResumable, findJoined, findParts } from './queries.ts';

/** Uploads looked after at a time. */
const CHUNK = 100;

/** Removes the parts of an upload whose whole file is there. */
export async function removeParts({ files }: Pick<Context, 'files'>, db: Db, id: string): Promise<void> {
  for (const { storeName } of await findParts(db, [id])) await files.remove(storeName);
  await deleteResumable(db, id);
}

/** The same of all uploads whose parts were left behind. */
export async function removeLeftParts(context: Context, db: Db, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const ids = await findJoined(db, CHUNK);
    for (const id of ids) await removeParts(context, db, id);
    if (ids.length < CHUNK) return;
  }
}
