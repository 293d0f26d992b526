import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CompiledForm } from '../../fields/compile-form.ts';
import { drawingOf, type FindFile, fileIdOf } from '../../fields/file-reference.ts';
import type { Answers } from '../../fields/property.ts';
import type { Context } from '../context.ts';
import type { Db, Transaction } from '../db/database.ts';
import { unavailable } from '../http/errors.ts';
import { isPng } from './png.ts';
import { claimFiles, findFreeFiles, insertUpload, isInDoubt, markDropped } from './queries.ts';
import { enqueueRemoval } from './remove-files.ts';
import { storeFile } from './store-file.ts';
import { storeNameOf } from './store-name.ts';

/**
 * Knows the files that answers name, found by one query: uploads of the form that nobody but this submission holds,
 * and drawn signatures that are pictures.
 * @param publicId of the submission
 * @throws HttpError 503 while another request with one of them is under way: it may be the same one, sent twice
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

/** Puts drawn signatures into the file store. @returns the answers with the names of their files instead */
export async function keepDrawings(
  context: Context,
  form: { id: number; compiled: CompiledForm },
  answers: Answers,
): Promise<Answers> {
  let kept = answers;
  for (const propertyId of form.compiled.fileFieldIds) {
    const answer = answers[propertyId];
    const drawing = typeof answer === 'string' ? drawingOf(answer) : null;
    if (drawing === null) continue;
    const name = await keepDrawing(context, form.id, propertyId, Buffer.from(drawing, 'base64'));
    kept = Object.assign(Object.create(null), kept, { [propertyId]: name });
  }
  return kept;
}

async function keepDrawing(context: Context, formId: number, propertyId: string, bytes: Buffer) {
  const id = randomUUID();
  const name = `sign_${id}.png`;
  const storeName = storeNameOf(id);
  await insertUpload(context.db, {
    id,
    formId,
    propertyId,
    name,
    storeName,
    size: bytes.length,
    sender: null,
  });
  const found = { size: bytes.length, contentType: 'image/png' };
  await storeFile(context, { id, storeName }, Readable.from([bytes]), found);
  return name;
}

/**
 * Gives a stored submission the files its new answers name and has those removed that it named before and does not now.
 * @param answers.named what was sent, checked
 * @param answers.stored all that is stored now, with what stayed of fields the form has not any more
 * @returns false when one of them has been taken meanwhile: the transaction must not commit then
 */
export async function exchangeFiles(
  trx: Transaction,
  form: { id: number; compiled: CompiledForm },
  publicId: string,
  { named, stored }: { named: Answers; stored: Answers },
): Promise<boolean> {
  const texts = Object.values(stored)
    .flat()
    .filter((answer) => typeof answer === 'string');
  if (await markDropped(trx, form.id, publicId, idsIn(texts))) await enqueueRemoval(trx, form.id);
  const ids = idsIn(form.compiled.fileTexts(named));
  return ids.length === 0 || (await claimFiles(trx, form.id, ids, publicId));
}

/** The ids of the uploads that texts name, each once. */
export function idsIn(texts: string[]): string[] {
  return [...new Set(texts.map(fileIdOf).filter((id) => id !== null))];
}
