import { pipeline, type Readable, Transform } from 'node:stream';
import type { FileStore } from '../files/file-store.ts';
import { NoRoom } from '../files/no-room.ts';

/** Left free on a disk, as the database may be on it, too: so many bytes, or this part of the disk if that is less. */
const KEPT_FREE = { bytes: 512 * 1024 * 1024, part: 0.1 };
/** Bytes written between two looks at the disk. */
const LOOK_BYTES = 8 * 1024 * 1024;

/**
 * @param bytes about to be written
 * @throws NoRoom when less than `KEPT_FREE` would be left
 */
export async function needRoom(store: Pick<FileStore, 'space'>, bytes = 0): Promise<void> {
  const space = await store.space();
  if (space && space.free - bytes < Math.min(KEPT_FREE.bytes, KEPT_FREE.part * space.total))
    throw new NoRoom();
}

/** Passes the file on, and fails with NoRoom as soon as the disk has less left than `KEPT_FREE`. */
export function whileThereIsRoom(file: Readable, store: FileStore): Readable {
  let unseen = 0;
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      unseen += chunk.length;
      if (unseen <= LOOK_BYTES) return done(null, chunk);
      unseen = 0;
      needRoom(store).then(() => done(null, chunk), done);
    },
  });
  // It may fail before it has a reader; a later reader still gets the error.
  look.on('error', () => {});
  // An error of one stream destroys the other.
  return pipeline(file, look, () => {});
}
