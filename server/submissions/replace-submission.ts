import { type Answers, emptyErrorBag, isJsonObject, type Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/database.ts';
import { scheduleDeliveries } from '../deliveries/schedule-deliveries.ts';
import { exchangeFiles, keepDrawings } from '../files/claim-files.ts';
import { linkSource } from '../files/file-links.ts';
import { notFound, unavailable } from '../http/errors.ts';
import { addToCounters, insertDeliveries, lockFormGate, overwriteSubmission } from './change-queries.ts';
import { readCompletionTime } from './envelope.ts';
import { judgeAnswers, numberAnswers } from './judge-answers.ts';
import { isOvertaken } from './look-up.ts';
import { findOwnForm } from './published-form-queries.ts';
import { type PublishedForm, preparePublishedForm } from './published-forms.ts';
import { findSubmission, lockSubmission, type SubmissionKey, type SubmissionRow } from './queries.ts';

/** A form that changes faster than this many looks at it is saved again and again by somebody. */
const MAX_LOOKS = 5;

/**
 * An owner's edit: all answers are replaced, checked like new ones, whatever the state of the form. A partial
 * submission becomes complete, is numbered and delivered; of one that was complete already nobody is told.
 * @throws HttpError 404 or 422
 */
export async function replaceSubmission(
  context: Context,
  formId: number,
  key: SubmissionKey,
  body: Answers,
  actor: Actor,
): Promise<SubmissionRow> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const id = await replaceByRules(context, formId, key, body, actor);
    const after = id === null ? null : await findSubmission(context.db, formId, { id });
    if (after) return after;
  }
  throw unavailable();
}

/** A submission may be put back as it was read: its answers are under `data` then, unless that is a field of the form. */
function answersIn(body: Answers, properties: readonly Property[]): Answers {
  const isField = properties.some(({ id }) => id === 'data');
  return isJsonObject(body.data) && !isField ? (body.data as Answers) : body;
}

/** Ends the transaction without a trace: it has to be looked at again. */
class Overtaken extends Error {}

/** @returns the numeric id, or null when the form changed after its rules were read, or what the answers name was taken meanwhile. */
async function replaceByRules(
  context: Context,
  formId: number,
  key: SubmissionKey,
  body: Answers,
  actor: Actor,
): Promise<number | null> {
  const { db } = context;
  const [row, before] = await Promise.all([findOwnForm(db, formId), findSubmission(db, formId, key)]);
  if (!row || !before) throw notFound('Submission');
  const form = preparePublishedForm(row, serverEngines, linkSource(context));
  const publicId = before.public_id;
  const errors = emptyErrorBag();
  const completionTime = readCompletionTime(body.completion_time, errors);
  const sent = answersIn(body, form.properties);
  const { answers: judged, lookedAt } = await judgeAnswers(db, form, sent, errors, {
    partial: false,
    ownPublicId: publicId,
    publicId,
    before: before.data,
  });
  if (before.status === 'partial') await numberAnswers(db, form, judged);
  const answers = await keepDrawings(context, form, judged);
  const replacing = db.transaction().execute(async (trx) => {
    const gate = await lockFormGate(trx, formId);
    if (gate?.revision !== form.revision) throw new Overtaken();
    const from = await lockSubmission(trx, formId, before.id);
    if (from !== 'completed' && from !== 'partial') throw notFound('Submission');
    // Completed meanwhile by whoever began it: then it has its number and its deliveries.
    if (from !== before.status || (await isOvertaken(trx, formId, { lookedAt, publicId })))
      throw new Overtaken();
    const stored = { publicId, status: 'completed' as const, answers, completionTime };
    // Answers to fields that are gone stay, but for those that are taken out by name.
    const emptied = Object.keys(sent).filter((id) => sent[id] === null);
    const fieldIds = [...form.compiled.fields.map(({ id }) => id), ...emptied];
    const after = await overwriteSubmission(trx, formId, stored, { from, fieldIds });
    if (!after) throw notFound('Submission');
    if (from === 'partial') await complete(trx, form, before, answers);
    if (!(await exchangeFiles(trx, form, publicId, { named: answers, stored: after.data })))
      throw new Overtaken();
    const target = { id: before.id, name: publicId };
    await recordEvent(trx, actor, { verb: 'submission.changed', formId, target });
    return before.id;
  });
  const id = await replacing.catch((error: unknown) => {
    if (error instanceof Overtaken) return null;
    throw error;
  });
  if (id !== null && before.status === 'partial')
    context.dispatcher.wake(form.integrations.map((integration) => integration.id));
  return id;
}

/** It counts from now on, and is sent on. No confirmation goes out: whoever filled it in has not sent it. */
async function complete(
  trx: Transaction,
  form: PublishedForm,
  { id, public_id: publicId, attribution }: SubmissionRow,
  answers: Answers,
): Promise<void> {
  await addToCounters(trx, form.id, 1, -1);
  const integrations = form.integrations.filter(({ isConfirmation }) => !isConfirmation);
  const submission = { publicId, answers, attribution: attribution as Record<string, string> | null };
  await insertDeliveries(trx, form.id, id, scheduleDeliveries({ ...form, integrations }, submission));
}
