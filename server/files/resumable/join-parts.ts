import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import { HttpError, notFound, unavailable } from '../../http/errors.ts';
import { checkedContent, UploadRefusal } from '../check-content.ts';
import { cleanFileName } from '../file-name.ts';
import { completeUpload } from '../queries.ts';
import { readSteadily } from '../read-steadily.ts';
import { fileNameIn } from './metadata.ts';
import { beginJoining, endJoining, findArrivedParts } from './queries.ts';
import { removeParts } from './remove-parts.ts';
import { busy, giveUp, type ResumableUpload } from './resumable-upload.ts';

/** A part that should be there is not, as after a restore from a backup. */
class PartMissing extends Error {}

/**
 * Makes one file of the parts when all have arrived, and checks it as any other upload.
 * @throws UploadRefusal for content that is not taken: the upload is gone then; HttpError 404 when it is gone, 423 while another
 * process does the same, 503 when it failed and the next request tries again
 */
export async function joinParts(context: Context, upload: ResumableUpload): Promise<void> {
  const { db } = context;
  if (!(await beginJoining(db, upload.id))) throw busy();
  try {
    await writeWhole(context, upload);
  } catch (error) {
    await endJoining(db, upload.id);
    throw await explain(context, upload, error);
  }
  await removeParts(context, db, upload.id).catch((err: unknown) =>
    context.log.warn({ err }, 'parts of an upload were left behind'),
  );
}

async function writeWhole({ db, files }: Context, upload: ResumableUpload): Promise<void> {
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
        if (!part) throw new PartMissing();
        yield* part;
      }
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
