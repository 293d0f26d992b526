import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { deleteParts, findJoined, findPartsAtRest } from './queries.ts';

/** Uploads looked after at a time. */
const CHUNK = 100;

/** Removes the parts of an upload whose whole file is there. One that is still on its way, sent for nothing, is left to its request. */
export async function removeParts({ files }: Pick<Context, 'files'>, db: Db, id: string): Promise<void> {
  const parts = await findPartsAtRest(db, id);
  for (const part of parts) await files.remove(part);
  await deleteParts(db, id, parts);
}

/** The same of all uploads whose parts were left behind. */
export async function removeLeftParts(context: Context, db: Db, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const ids = await findJoined(db, CHUNK);
    for (const id of ids) await removeParts(context, db, id);
    if (ids.length < CHUNK) return;
  }
}
