import { type ErrorBag, emptyErrorBag } from '../../../fields/property.ts';
import { serverEngines } from '../../../fields/server-engines.ts';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { linkSource } from '../../files/file-links.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { lockFormGateIn } from '../lock-gate.ts';
import { lookAtForm } from '../look-at-form.ts';
import { takePlaces } from '../option-places-queries.ts';
import { type PublishedForm, preparePublishedForm } from '../published-form/published-form.ts';
import { findOwnForm } from '../published-form/queries.ts';
import { findOldestKept } from '../retention/expired-queries.ts';
import { addToCounters } from '../store-queries.ts';
import { type ImportedSubmission, judgeImport, type Refusal, type SentSubmission } from './judge-import.ts';
import { findAlike, findImported, insertImported, raiseAutoIncrement } from './queries.ts';

/** Auto-increment numbers that later ones go on from; a form never gets to longer ones. */
const NUMBER = /^\d{1,12}$/;

interface ImportOptions {
  /** Only check; store nothing. */
  isCheck: boolean;
  /** Store the submissions that fit even if others do not. */
  skipsInvalid: boolean;
  /** Store none without a source id that is like one of the form. */
  skipsAlike: boolean;
  actor: Actor;
}

interface ImportOutcome {
  /** How many were stored or, if only checking, would be. */
  newCount: number;
  /** Those that the form has now, in the order they were sent. */
  found: { index: number; id: number; isNew: boolean }[];
  /** Those without a source id that are like one that the form had before: same moment, same answers. */
  alike: { index: number; id: number }[];
  refused: Refusal[];
}

/**
 * Stores submissions that were collected elsewhere, whatever the state of the form, in one transaction under its lock. A source id
 * is stored only once. No integration is told.
 * @throws HttpError 409 when the form was moved meanwhile, 422 when one does not fit and may not be skipped
 */
export async function importSubmissions(
  context: Context,
  named: NamedForm,
  sent: readonly SentSubmission[],
  options: ImportOptions,
): Promise<ImportOutcome> {
  return lookAtForm(
    context.db,
    () => named.id,
    () => importOnce(context, named, sent, options),
  );
}

/** @returns null when the form has changed since it was read: try again */
async function importOnce(
  context: Context,
  named: NamedForm,
  sent: readonly SentSubmission[],
  options: ImportOptions,
): Promise<ImportOutcome | null> {
  const { id: formId } = named;
  const row = await findOwnForm(context.db, formId);
  if (!row) throw notFound('Form');
  const form = preparePublishedForm(row, serverEngines, linkSource(context));
  const oldestKept = await findOldestKept(context.db, formId);
  const { fitting, refused } = judgeImport(form.compiled, sent, oldestKept);
  if (refused.length > 0 && !options.isCheck && !options.skipsInvalid) throw invalid(allErrors(refused));
  const stored = options.isCheck
    ? await compare(context.db, formId, fitting, options)
    : await store(context.db, { form, named }, fitting, options);
  return stored && { ...stored, refused };
}

function allErrors(refused: readonly Refusal[]): ErrorBag {
  const all = emptyErrorBag();
  for (const { index, errors } of refused)
    for (const [key, messages] of Object.entries(errors)) all[`submissions.${index}.${key}`] = messages;
  return all;
}

/** Tells submissions that the form has already from new ones. Those that it exported itself have their UUID as source id. */
async function compare(
  db: Db,
  formId: number,
  fitting: readonly ImportedSubmission[],
  { skipsAlike }: Pick<ImportOptions, 'skipsAlike'>,
): Promise<Omit<ImportOutcome, 'refused'> & { fresh: ImportedSubmission[] }> {
  const sourceIds = fitting.flatMap(({ sourceId }) => sourceId ?? []);
  const ids = await findImported(db, formId, sourceIds);
  // Without a moment equal answers show nothing: many people may say the same.
  const nameless = fitting.filter(({ sourceId, isDated }) => sourceId === null && isDated);
  const alikeIds = await findAlike(db, formId, nameless);
  const alike = [...alikeIds].map(([index, id]) => ({ index, id })).sort((a, b) => a.index - b.index);
  const idOf = ({ sourceId, index }: ImportedSubmission) => {
    if (sourceId !== null) return ids.get(sourceId);
    return skipsAlike ? alikeIds.get(index) : undefined;
  };
  const fresh = fitting.filter((submission) => idOf(submission) === undefined);
  const found = fitting.flatMap((submission) => {
    const id = idOf(submission);
    return id === undefined ? [] : [{ index: submission.index, id, isNew: false }];
  });
  return { newCount: fresh.length, found, alike, fresh };
}

/** @returns null when the form has changed since it was read: try again */
function store(
  db: Db,
  { form, named }: { form: PublishedForm; named: NamedForm },
  fitting: readonly ImportedSubmission[],
  options: ImportOptions,
): Promise<Omit<ImportOutcome, 'refused'> | null> {
  const { compiled, id: formId, revision } = form;
  return db.transaction().execute(async (trx) => {
    const gate = await lockFormGateIn(trx, named);
    if (gate?.revision !== revision) return null;
    const { fresh, found, alike } = await compare(trx, formId, fitting, options);
    if (fresh.length === 0) return { newCount: 0, found, alike };
    const ids = await insertImported(trx, formId, fresh);
    await addToCounters(trx, formId, fresh.length, 0);
    const taken = fresh.map(({ answers }) => compiled.answersForPlaces(answers));
    await takePlaces(trx, formId, taken);
    await raiseAutoIncrement(trx, formId, highestNumber(form, fresh));
    await recordEvent(trx, options.actor, {
      verb: 'submission.imported',
      formId,
      details: { count: fresh.length },
    });
    const isNew = true;
    const stored = fresh.map(({ index }, at) => ({ index, id: ids[at] as number, isNew }));
    return {
      newCount: fresh.length,
      found: [...found, ...stored].sort((one, other) => one.index - other.index),
      alike,
    };
  });
}

/** The highest number in their numbering fields; later submissions go on from there. 0 without one. */
function highestNumber({ compiled }: PublishedForm, fresh: readonly ImportedSubmission[]): number {
  const texts = fresh.flatMap(({ answers }) => compiled.autoIncrementIds.map((id) => String(answers[id])));
  return texts.reduce((highest, text) => (NUMBER.test(text) ? Math.max(highest, Number(text)) : highest), 0);
}
