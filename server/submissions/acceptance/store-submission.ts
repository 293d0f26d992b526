import type { Context } from '../../context.ts';
import { databaseProblem, violates } from '../../db/constraint-errors.ts';
import { scheduleDeliveries } from '../../deliveries/schedule-deliveries.ts';
import { discardDrawings, hasDrawings, idsIn, keepDrawings } from '../../files/claim-files.ts';
import { claimFiles, releaseFiles } from '../../files/queries.ts';
import { HttpError } from '../../http/errors.ts';
import type { IntakeOutcome } from '../intake/outcomes.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { type Change, type ChangeOutcome, isSetAside, storeChange } from '../store-change.ts';

/** Stores answers. Drawn signatures in them become files, which are discarded when the answers are not stored. */
export function storeSubmission(
  context: Context,
  form: PublishedForm,
  change: Change,
): Promise<ChangeOutcome> {
  const draws = hasDrawings(form.compiled, change.answers);
  return draws ? storeWithDrawings(context, form, change) : store(context, form, change);
}

async function storeWithDrawings(
  context: Context,
  form: PublishedForm,
  change: Change,
): Promise<ChangeOutcome> {
  const drawings = await keepDrawings(context, form, change.answers);
  try {
    const outcome = await store(context, form, { ...change, answers: drawings.answers });
    if (outcome.kind !== 'stored') await discardDrawings(context, form.id, drawings);
    return outcome;
  } catch (error) {
    if (isCertain(error)) await discardDrawings(context, form.id, drawings);
    throw error;
  }
}

/**
 * New complete submissions are stored in batches. Rarer kinds, and answers that must be unique, take a transaction of their own.
 * Afterwards the uploads that the answers name belong to the submission.
 */
async function store(context: Context, form: PublishedForm, change: Change): Promise<ChangeOutcome> {
  const goesWithOthers =
    change.kind === 'new' && change.lookedAt === null && change.linkHolder === null && !isSetAside(change);
  if (!goesWithOthers) return storeChange(context, form, change);
  const { publicId } = change;
  const files = idsIn(form.compiled.fileTexts(change.answers));
  if (files.length === 0) return storeNew(context, form, change);
  // Another submission has claimed one of the files since the answers were judged: judging again reports that.
  if (!(await claimFiles(context.db, form.id, files, publicId))) return { kind: 'stale' };
  try {
    const outcome = await storeNew(context, form, change);
    if (outcome.kind !== 'stored') await releaseFiles(context.db, form.id, publicId);
    return outcome;
  } catch (error) {
    // If the database did not answer, the submission may have been stored: the claim stays, and expires by itself if it was not.
    if (isCertain(error)) await releaseFiles(context.db, form.id, publicId);
    throw error;
  }
}

/**
 * Whether the submission was certainly not stored: the intake refused it, or the database refused its content. A public id that
 * exists already says the opposite: the statement was sent again after its first answer was lost, and had stored the submission.
 */
export function isCertain(error: unknown): boolean {
  if (violates(error, 'submissions_public_id_key')) return false;
  return error instanceof HttpError || databaseProblem(error) !== 'unavailable';
}

function storeNew(
  context: Context,
  form: PublishedForm,
  { publicId, answers, attribution, completionTime, idempotency }: Change,
): Promise<IntakeOutcome> {
  const ending = form.endingFor(answers)?.id ?? null;
  return context.intake.add({
    formId: form.id,
    formRevision: form.revision,
    publicId,
    data: JSON.stringify(answers),
    attribution: attribution && JSON.stringify(attribution),
    completionTime,
    idempotency,
    takesPlaces: form.compiled.answersForPlaces(answers) !== null,
    ending,
    deliveries: scheduleDeliveries(form, { publicId, answers, attribution, ending }),
  });
}
