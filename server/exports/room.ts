import { pipeline, type Readable, Transform } from 'node:stream';
import type { FileStore } from '../files/file-store.ts';
import { NoRoom } from '../files/no-room.ts';

/** What is left free of a disk: so many bytes, or this part of it where that is less. The database may lie on it, too. */
const KEPT_FREE = { bytes: 512 * 1024 * 1024, part: 0.1 };
/** Bytes that are written between two looks at the disk. */
const LOOK_BYTES = 8 * 1024 * 1024;

/**
 * @param bytes about to be written
 * @throws NoRoom where a disk would have less left than is kept free
 */
export async function needRoom(store: Pick<FileStore, 'space'>, bytes = 0): Promise<void> {
  const space = await store.space();
  if (space && space.free - bytes < Math.min(KEPT_FREE.bytes, KEPT_FREE.part * space.total))
    throw new NoRoom();
}

/** The same file, which breaks with NoRoom as soon as it has left no room for everything else. */
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
  // It may break before anybody listens; whoever reads it then still meets the error.
  look.on('error', () => {});
  // What breaks one of them destroys the other.
  return pipeline(file, look, () => {});
}
