import { pipeline, type Readable, Transform } from 'node:stream';
import type { FileStore } from '../../files/file-store.ts';
import { needRoom } from '../../files/room.ts';

/** Bytes written between two looks at the disk. */
const LOOK_BYTES = 8 * 1024 * 1024;

/** Passes the file on, and fails with NoRoom as soon as the disk has too little left, see `needRoom`. */
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
