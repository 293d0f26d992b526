import { isRemoved } from '../../fields/block-options/answer-retention.ts';
import { isBlank } from '../../fields/block-options/options.ts';
import type { CompiledField } from '../../fields/compile-field.ts';
import { askedAnswers, unaskedAnswers, withGoneRows } from '../../fields/former-answers/unseen-answers.ts';
import { keptReference } from '../../fields/payment.ts';
import {
  type Answers,
  addError,
  type ErrorBag,
  emptyErrorBag,
  isJsonObject,
  ownMember,
} from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import type { NamedForm } from '../access/queries.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import type { PayloadSubmission } from '../deliveries/payload.ts';
import { hearingOfEdits, scheduleDeliveries, scheduleEdit } from '../deliveries/schedule-deliveries.ts';
import { discardDrawings, exchangeFiles, type KeptDrawings, keepDrawings } from '../files/claim-files.ts';
import { linkSource } from '../files/file-links.ts';
import { HttpError, notFound } from '../http/errors.ts';
import { spendLinkOf } from '../recipients/link-queries.ts';
import { readCompletionTime } from './acceptance/envelope.ts';
import { judgeAnswers, numberAnswers } from './acceptance/judge-answers.ts';
import { isOvertaken, type LookedAt } from './acceptance/look-up.ts';
import { isCertain } from './acceptance/store-submission.ts';
import { keepChange } from './changes/keep-change.ts';
import { formForPartOf } from './form-for-change.ts';
import { lockFormGateIn } from './lock-gate.ts';
import { lookAtForm } from './look-at-form.ts';
import { type PublishedForm, preparePublishedForm } from './published-form/published-form.ts';
import { findOwnForm } from './published-form/queries.ts';
import { findSubmission, lockSubmission, type SubmissionKey, type SubmissionRow } from './queries.ts';
import { addToCounters, insertDeliveries, overwriteSubmission } from './store-queries.ts';

interface OwnersEdit {
  body: Answers;
  /** `updated_at` of the submission that was edited; null to replace whatever is there. */
  readAt: Date | null;
  /** Ids of fields whose answers were there when it was read: none of those removed since is written back. */
  present: readonly string[];
  actor: Actor;
}

/**
 * An owner's edit: the answers are checked like new ones, whatever the state of the form. A partial submission becomes
 * complete, is numbered and delivered; a change of a complete one is delivered to integrations that are told of edits. What the
 * answers said before is kept.
 * @throws HttpError 404, 409 also when the form was moved meanwhile, or 422
 */
export async function replaceSubmission(
  context: Context,
  named: NamedForm,
  key: SubmissionKey,
  edit: OwnersEdit,
): Promise<SubmissionRow> {
  const { db } = context;
  const replaceOnce = async () => {
    const before = await findSubmission(db, named.id, key);
    if (!before) throw notFound('Submission');
    if (isChangedSince(edit, before)) throw changedMeanwhile(before);
    const id = await replaceByRules(context, named, before, edit);
    return id === null ? null : findSubmission(db, named.id, { id });
  };
  return lookAtForm(db, () => named.id, replaceOnce);
}

function changedMeanwhile({ updated_at }: SubmissionRow): HttpError {
  const message = 'The submission was changed meanwhile.';
  return new HttpError(409, message, { updated_at: updated_at.toISOString() });
}

/** Compares milliseconds, as the interface shows no finer moments. The retention of a field removes answers without a new moment. */
function isChangedSince(
  { readAt, present }: OwnersEdit,
  { updated_at, data }: Pick<SubmissionRow, 'updated_at' | 'data'>,
): boolean {
  if (present.some((id) => isRemoved(data, id))) return true;
  return readAt !== null && readAt.getTime() !== updated_at.getTime();
}

/** The answers that a body asks for. */
interface Asked {
  sent: Answers;
  /** Ids of fields that the body does not name: their stored answers, if there are any, are among those sent. */
  leftOut: readonly string[];
}

/**
 * Answers by field id change those that they name, as connectors send no others; null removes one. A client may also send the whole
 * submission as it read it: the answers under `data`, unless that is a field of the form, replace all.
 * @param stored answers of the submission
 */
function answersIn(
  body: Answers,
  { form, stored, errors }: { form: PublishedForm; stored: Answers; errors: ErrorBag },
): Asked {
  const { data = null } = body;
  const fields = form.compiled.fields.map(({ id }) => id);
  const isRecord = data !== null && !fields.includes('data');
  if (isRecord && isJsonObject(data)) return { sent: data as Answers, leftOut: [] };
  // PHP writes an empty object as an empty list.
  if (isRecord && !isBlank(data)) addError(errors, 'data', 'The data must be an object.');
  const leftOut = fields.filter((id) => !Object.hasOwn(body, id));
  return { sent: withLeftOut(body, leftOut, stored), leftOut };
}

/** With the answers to these fields as they are stored, whatever the rules made of them. */
function withLeftOut(answers: Answers, leftOut: readonly string[], stored: Answers): Answers {
  const kept = { ...answers };
  for (const id of leftOut) {
    // Null stands for an answer that was removed.
    const answer = ownMember(stored, id) ?? null;
    if (answer === null) delete kept[id];
    else kept[id] = answer;
  }
  return kept;
}

/** An edit whose answers fit the form. */
interface JudgedEdit {
  form: PublishedForm;
  /** Its fields by the rules of this edit. */
  fields: readonly CompiledField[];
  sent: Answers;
  /** Ids of fields whose answers stay as they are stored. */
  untouched: readonly string[];
  /** As the form takes them; drawn signatures are files already. */
  drawings: KeptDrawings;
  completionTime: number | null;
  lookedAt: LookedAt | null;
}

/** Thrown to roll the transaction back and try again. */
class Overtaken extends Error {}

/** @returns the numeric id; null when form or submission changed since they were read, or a file or answer was taken meanwhile: try again */
async function replaceByRules(
  context: Context,
  named: NamedForm,
  before: SubmissionRow,
  edit: OwnersEdit,
): Promise<number | null> {
  const { db } = context;
  const judged = await judgeEdit(context, named.id, before, edit.body);
  const { form, drawings } = judged;
  try {
    await db.transaction().execute((trx) => overwrite(trx, named, { before, edit, judged }));
  } catch (error) {
    if (isCertain(error)) await discardDrawings(context, named.id, drawings);
    if (error instanceof Overtaken) return null;
    throw error;
  }
  const told = before.status === 'partial' ? form.integrations : hearingOfEdits(form);
  context.dispatcher.wake(told.map((integration) => integration.id));
  return before.id;
}

/** @throws HttpError 404, or 422 */
async function judgeEdit(
  context: Context,
  formId: number,
  { public_id: publicId, status, data: stored }: SubmissionRow,
  body: Answers,
): Promise<JudgedEdit> {
  const { db } = context;
  const row = await findOwnForm(db, formId);
  if (!row) throw notFound('Submission');
  const form = preparePublishedForm(row, serverEngines, linkSource(context));
  const errors = emptyErrorBag();
  const completionTime = readCompletionTime(body.completion_time, errors);
  const { sent, leftOut } = answersIn(body, { form, stored, errors });
  const wasComplete = status === 'completed';
  const rules = formForPartOf(form, { stored, wasComplete, sent, leftOut });
  const { fields, generatedIds } = rules.compiled;
  const { answers, lookedAt } = await judgeAnswers(db, rules, askedAnswers(fields, stored, sent), errors, {
    partial: false,
    ownPublicId: publicId,
    publicId,
    before: stored,
    wasComplete,
    mayOverbook: true,
  });
  // What completes a submission may be filled in.
  const untouched = wasComplete
    ? leftOut
    : leftOut.filter((id) => ownMember(stored, id) !== undefined && !generatedIds.includes(id));
  if (!wasComplete) await numberAnswers(db, form, answers);
  const drawings = await keepDrawings(context, form, answers);
  return { form, fields, sent, untouched, drawings, completionTime, lookedAt };
}

/** Stores the edit with all that follows from it. */
async function overwrite(
  trx: Transaction,
  named: NamedForm,
  { before, edit, judged }: { before: SubmissionRow; edit: OwnersEdit; judged: JudgedEdit },
): Promise<void> {
  const { form, completionTime, lookedAt } = judged;
  const [formId, publicId] = [named.id, before.public_id];
  const gate = await lockFormGateIn(trx, named);
  if (gate?.revision !== form.revision) throw new Overtaken();
  const locked = await lockSubmission(trx, formId, before.id);
  if (!locked) throw notFound('Submission');
  const from = locked.status;
  const data = locked.data as Answers;
  if (from !== 'completed' && from !== 'partial') throw notFound('Submission');
  // If its respondent has completed it meanwhile, it has its number and deliveries already.
  const isChanged = from !== before.status || isChangedSince(edit, { ...locked, data });
  if (isChanged || (await isOvertaken(trx, formId, { lookedAt, publicId }))) throw new Overtaken();

  const answers = editedAnswers(judged, data);
  const ending = form.endingFor(answers)?.id ?? null;
  const stored = { publicId, status: 'completed' as const, answers, completionTime, ending };
  // Answers to fields that the form no longer has stay, unless they were sent as null.
  const emptied = Object.keys(judged.sent).filter((id) => judged.sent[id] === null);
  const fieldIds = [...form.compiled.fields.map(({ id }) => id), ...emptied];
  const after = await overwriteSubmission(trx, formId, stored, { from, fieldIds });
  if (!after) throw notFound('Submission');

  const overwritten = { id: before.id, before: data, after: after.data, at: after.updated_at };
  const change = await keepChange(trx, form, overwritten, edit.actor);
  const submission = { publicId, answers, attribution: after.attribution, ending };
  if (from === 'partial') await complete(trx, form, before.id, submission);
  else if (change)
    await insertDeliveries(trx, formId, before.id, scheduleEdit(form, { ...submission, edit: change }));
  if (!(await exchangeFiles(trx, form, publicId, { named: answers, stored: after.data })))
    throw new Overtaken();
  const target = { id: before.id, name: null };
  await recordEvent(trx, edit.actor, { verb: 'submission.changed', formId, target });
}

/** @param data what is stored when they are about to be */
function editedAnswers({ form, fields, sent, untouched, drawings }: JudgedEdit, data: Answers): Answers {
  const given = { sent, now: drawings.answers };
  const changed = {
    ...keptReference(form.payment, data),
    ...drawings.answers,
    ...unaskedAnswers(fields, data, given),
    ...withGoneRows(fields, data, given),
  };
  return withLeftOut(changed, untouched, data);
}

/** Counts a partial submission as complete, uses up its personal link and queues its deliveries, but no confirmation: its respondent has not sent it. */
async function complete(
  trx: Transaction,
  form: PublishedForm,
  id: number,
  submission: PayloadSubmission,
): Promise<void> {
  await addToCounters(trx, form.id, 1, -1);
  if (form.personalLinks !== null) await spendLinkOf(trx, form.id, submission.publicId);
  const integrations = form.integrations.filter(({ isConfirmation }) => !isConfirmation);
  await insertDeliveries(trx, form.id, id, scheduleDeliveries({ integrations }, submission));
}
