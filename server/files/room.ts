import type { FileStore } from './file-store.ts';
import { NoRoom } from './no-room.ts';

/** Left free on a disk, as the database may be on it, too: so many bytes, or this part of the disk if that is less. */
const KEPT_FREE = { bytes: 512 * 1024 * 1024, part: 0.1 };

/**
 * @param bytes about to be written
 * @throws NoRoom when less than `KEPT_FREE` would be left
 */
export async function needRoom(store: Pick<FileStore, 'space'>, bytes = 0): Promise<void> {
  const space = await store.space();
  if (space && space.free - bytes < Math.min(KEPT_FREE.bytes, KEPT_FREE.part * space.total))
    throw new NoRoom();
}
