import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { HttpError, notFound, unavailable } from '../../http/errors.ts';
import { checkedContent, UploadRefusal } from '../check-content.ts';
import { cleanFileName } from '../file-name.ts';
import { completeUpload } from '../queries.ts';
import { readSteadily } from '../read-steadily.ts';
import { fileNameIn } from './metadata.ts';
import {
  beginJoining,
  endJoining,
  findArrivedParts,
  findResumable,
  goOnJoining,
  type Joining,
} from './queries.ts';
import { removeParts } from './remove-parts.ts';
import { busy, giveUp, type ResumableUpload } from './resumable-upload.ts';

/** Milliseconds after which others are told that somebody is still at work. */
const TELL_MS = 30_000;

/** A part that should be there is not, as after a restore from a backup. */
class PartMissing extends Error {}

/**
 * Makes one file of the parts when all have arrived, and checks it as any other upload.
 * @throws UploadRefusal for content that is not taken: the upload is gone then; HttpError 404 when it is gone, 423 while another
 * process does the same, 503 when it failed and the next request tries again
 */
export async function joinParts(context: Context, upload: ResumableUpload): Promise<void> {
  const { db } = context;
  const begun = await beginJoining(db, upload.id);
  if (begun === null) return refuseUnlessJoined(context, upload);
  const turn = new Turn(db, upload.id, begun);
  try {
    await writeWhole(context, upload, turn);
  } catch (error) {
    await endJoining(db, upload.id, turn.joining);
    throw await explain(context, upload, error);
  }
  try {
    await endJoining(db, upload.id, turn.joining);
    await removeParts(context, db, upload.id);
  } catch (err) {
    context.log.warn({ err }, 'parts of an upload were left behind');
  }
}

/** Holds an upload while it is put together, however long that takes. */
class Turn {
  readonly #db: Db;
  readonly #id: string;
  #toldAt = performance.now();
  joining: Joining;

  constructor(db: Db, id: string, joining: Joining) {
    this.#db = db;
    this.#id = id;
    this.joining = joining;
  }

  /** @throws HttpError 423 when it was silent for so long that somebody else may be at work */
  async keep(isSure = false): Promise<void> {
    if (!isSure && performance.now() < this.#toldAt + TELL_MS) return;
    const joining = await goOnJoining(this.#db, this.#id, this.joining);
    if (joining === null) throw busy();
    this.joining = joining;
    this.#toldAt = performance.now();
  }
}

/** Somebody else was quicker. */
async function refuseUnlessJoined({ db }: Context, { id, formId }: ResumableUpload): Promise<void> {
  const present = await findResumable(db, formId, id);
  if (!present) throw notFound('Upload');
  if (!present.isComplete) throw busy();
}

async function writeWhole({ db, files }: Context, upload: ResumableUpload, turn: Turn): Promise<void> {
  const { id, storeName, length, metadata } = upload;
  const found = { size: 0, contentType: '' };
  let failure: unknown = null;
  const { extension } = cleanFileName(fileNameIn(metadata));
  const checked = checkedContent(Readable.from(bytes()), { extension, maxSize: length }, found);
  try {
    await files.write(storeName, Readable.from(checked, { objectMode: false }), { expectedBytes: length });
  } catch (error) {
    throw failure ?? error;
  }
  if (await completeUpload(db, id, found)) return;
  await files.remove(storeName);
  throw notFound('Upload');

  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      for (const name of await findArrivedParts(db, id)) {
        const part = await readSteadily(files, name);
        if (!part) {
          await turn.keep(true);
          throw new PartMissing();
        }
        for await (const chunk of part) {
          await turn.keep();
          yield chunk;
        }
      }
      // Whoever came after must not find its own file replaced.
      await turn.keep(true);
    } catch (error) {
      failure = error;
      throw error;
    }
  }
}

async function explain(context: Context, upload: ResumableUpload, error: unknown): Promise<unknown> {
  if (error instanceof UploadRefusal || error instanceof PartMissing) {
    await giveUp(context, upload);
    return error instanceof UploadRefusal ? error : notFound('Upload');
  }
  if (error instanceof HttpError) return error;
  context.log.error({ err: error }, 'the parts of an upload could not be put together');
  return unavailable();
}
