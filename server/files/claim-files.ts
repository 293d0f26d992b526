import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CompiledForm } from '../../fields/compile-form.ts';
import { drawingOf, type FindFile, fileIdOf } from '../../fields/file-reference.ts';
import { type Answers, emptyAnswers, type JsonValue } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { unavailable } from '../http/errors.ts';
import { isPng } from './png.ts';
import { claimFiles, findFreeFiles, insertUpload, isInDoubt, markDropped, markUnheld } from './queries.ts';
import { enqueueRemoval } from './remove-files.ts';
import { storeFile } from './store-file.ts';
import { storeNameOf } from './store-name.ts';

/**
 * Looks up, by one query, the files that answers name: uploads of the form that no other submission holds. The result
 * also knows drawn signatures that are pictures.
 * @param publicId of the submission
 * @throws HttpError 503 while another request with one of the files is under way: it may be this one, sent twice
 */
export async function knowFiles(
  db: Db,
  formId: number,
  texts: string[],
  publicId: string,
): Promise<FindFile> {
  const ids = idsIn(texts);
  const files = ids.length === 0 ? null : await findFreeFiles(db, formId, ids, publicId);
  const others = ids.filter((id) => files?.has(id) === false);
  if (others.length > 0 && (await isInDoubt(db, formId, others))) throw unavailable();
  return (text) => {
    const drawing = drawingOf(text);
    if (drawing === null) return files?.get(fileIdOf(text) ?? '') ?? null;
    const bytes = Buffer.from(drawing, 'base64');
    return isPng(bytes) ? { name: text, size: bytes.length } : null;
  };
}

/** Answers after their drawn signatures became files. */
export interface KeptDrawings {
  /** With the names of the files in place of the drawings. */
  answers: Answers;
  /** Ids of the uploads made for the drawings. */
  ids: string[];
}

/** Puts drawn signatures into the file store. If the submission is not stored after all, call `discardDrawings`. */
export async function keepDrawings(
  context: Context,
  form: { id: number; compiled: CompiledForm },
  answers: Answers,
): Promise<KeptDrawings> {
  const kept: KeptDrawings = { answers, ids: [] };
  for (const propertyId of form.compiled.fileFieldIds) {
    const drawing = drawingIn(answers[propertyId]);
    if (drawing === null) continue;
    const id = randomUUID();
    const name = `sign_${id}.png`;
    await keepDrawing(context, form.id, { id, propertyId, name, bytes: Buffer.from(drawing, 'base64') });
    kept.answers = Object.assign(emptyAnswers(), kept.answers, { [propertyId]: name });
    kept.ids.push(id);
  }
  return kept;
}

/** Whether somebody drew in one of these answers. */
export function hasDrawings({ fileFieldIds }: CompiledForm, answers: Answers): boolean {
  return fileFieldIds.some((id) => drawingIn(answers[id]) !== null);
}

function drawingIn(answer: JsonValue | undefined): string | null {
  return typeof answer === 'string' ? drawingOf(answer) : null;
}

async function keepDrawing(
  context: Context,
  formId: number,
  { id, propertyId, name, bytes }: { id: string; propertyId: string; name: string; bytes: Buffer },
): Promise<void> {
  const storeName = storeNameOf(id);
  const size = bytes.length;
  await insertUpload(context.db, { id, formId, propertyId, name, storeName, size, sender: null });
  await storeFile(context, { id, storeName, most: size }, Readable.from([bytes]), {
    size,
    contentType: 'image/png',
  });
}

/** Has the files of drawings removed, except those that a submission holds after all. */
export async function discardDrawings(
  { db, log }: Context,
  formId: number,
  { ids }: KeptDrawings,
): Promise<void> {
  try {
    await db.transaction().execute(async (trx) => {
      if ((await markUnheld(trx, formId, ids)) > 0) await enqueueRemoval(trx, formId);
    });
  } catch (err) {
    log.warn({ err }, 'drawings that were given up are left to the purge');
  }
}

/**
 * Gives a stored submission the files that its new answers name, and has those removed that only its old answers named.
 * @param answers.named the checked answers that were sent
 * @param answers.stored all answers stored now, also those to fields that the form no longer has
 * @returns false when another submission has taken one of the files meanwhile: the transaction must not commit then
 */
export async function exchangeFiles(
  trx: Transaction,
  form: { id: number; compiled: CompiledForm },
  publicId: string,
  { named, stored }: { named: Answers; stored: Answers },
): Promise<boolean> {
  const ids = idsIn(form.compiled.fileTexts(named));
  // Files come before the queue, as for whoever gives one of them up at this moment.
  if (ids.length > 0 && !(await claimFiles(trx, form.id, ids, publicId))) return false;
  await dropFiles(trx, form.id, publicId, stored);
  return true;
}

/** Has the files of a submission removed that its stored answers do not name. */
export async function dropFiles(
  trx: Transaction,
  formId: number,
  publicId: string,
  stored: Answers,
): Promise<void> {
  const texts = Object.values(stored)
    .flat()
    .filter((answer) => typeof answer === 'string');
  if (await markDropped(trx, formId, publicId, idsIn(texts))) await enqueueRemoval(trx, formId);
}

/** The ids of the uploads that the texts name, without repetitions. */
export function idsIn(texts: string[]): string[] {
  return [...new Set(texts.map(fileIdOf).filter((id) => id !== null))];
}
