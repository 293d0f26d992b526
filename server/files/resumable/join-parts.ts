import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { notFound } from '../../http/errors.ts';
import { checkedContent, UploadRefusal } from '../check-content.ts';
import { notStored } from '../not-stored.ts';
import { completeUpload } from '../queries.ts';
import { readSteadily } from '../read-steadily.ts';
import { needRoom } from '../room.ts';
import { extensionIn } from './metadata.ts';
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

/** Milliseconds after which a process extends its claim, so that no other one takes over. */
const TELL_MS = 30_000;

/** The store lacks a part or bytes of one, as can happen after a restore from a backup. */
class PartMissing extends Error {}

/**
 * Joins the parts, once all have arrived, into one file and checks it like any other upload.
 * @throws UploadRefusal for refused content, after deleting the upload; HttpError 404 when the upload is gone, 423 while another
 * process joins it, 503 when joining failed and the next request is to try again
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

/** The claim on an upload while its parts are joined, extended as long as that takes. */
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

  /** Extends the claim from time to time. @throws HttpError 423 as `makeSure` does */
  async keep(): Promise<void> {
    if (performance.now() >= this.#toldAt + TELL_MS) await this.makeSure();
  }

  /** @throws HttpError 423 when the claim expired and another process has taken over */
  async makeSure(): Promise<void> {
    const joining = await goOnJoining(this.#db, this.#id, this.joining);
    if (joining === null) throw busy();
    this.joining = joining;
    this.#toldAt = performance.now();
  }
}

/** Another request has joined the parts, is joining them, or has deleted the upload. */
async function refuseUnlessJoined({ db }: Context, { id, formId }: ResumableUpload): Promise<void> {
  const present = await findResumable(db, formId, id);
  if (!present) throw notFound('Upload');
  if (!present.isComplete) throw busy();
}

async function writeWhole({ db, files }: Context, upload: ResumableUpload, turn: Turn): Promise<void> {
  const { id, storeName, length, metadata } = upload;
  const found = { size: 0, contentType: '' };
  let failure: unknown = null;
  const extension = extensionIn(metadata);
  const checked = checkedContent(Readable.from(bytes()), { extension, maxSize: length }, found);
  try {
    // The parts stay until they are joined. Asked before, so that the attempt does not fill the disk of the database.
    await needRoom(files, length);
    await files.write(storeName, Readable.from(checked, { objectMode: false }), { expectedBytes: length });
  } catch (error) {
    throw failure ?? error;
  }
  if (found.size !== length) {
    await files.remove(storeName);
    throw new PartMissing();
  }
  if (await completeUpload(db, id, found)) return;
  await files.remove(storeName);
  throw notFound('Upload');

  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      for (const name of await findArrivedParts(db, id)) {
        const part = await readSteadily(files, name);
        if (!part) {
          await turn.makeSure();
          throw new PartMissing();
        }
        for await (const chunk of part) {
          await turn.keep();
          yield chunk;
        }
      }
      // If another process has taken over, its file must not be overwritten.
      await turn.makeSure();
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
  return notStored(context, error, 'the parts of an upload could not be put together');
}
