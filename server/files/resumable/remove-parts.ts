import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { deleteParts, findJoined, findPartsAtRest } from './queries.ts';

/** Uploads per query. */
const CHUNK = 100;

/** Removes the parts of a complete upload. A part still being received is superfluous; its request removes it. */
export async function removeParts({ files }: Pick<Context, 'files'>, db: Db, id: string): Promise<void> {
  const parts = await findPartsAtRest(db, id);
  for (const part of parts) await files.remove(part);
  await deleteParts(db, id, parts);
}

/** Removes the parts of all complete uploads that still have some. */
export async function removeLeftParts(context: Context, db: Db, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const ids = await findJoined(db, CHUNK);
    for (const id of ids) await removeParts(context, db, id);
    if (ids.length < CHUNK) return;
  }
}
