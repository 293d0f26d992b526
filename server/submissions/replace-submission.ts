import { compileForm } from '../../fields/compile-form.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import { type Answers, emptyErrorBag, isJsonObject, type Property } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import type { Actor } from '../audit/actor.ts';
import { recordEvent } from '../audit/record-event.ts';
import type { Context } from '../context.ts';
import { exchangeFiles, keepDrawings } from '../files/claim-files.ts';
import { notFound, unavailable } from '../http/errors.ts';
import { addToCounters, lockFormGate, overwriteSubmission } from './change-queries.ts';
import { readCompletionTime } from './envelope.ts';
import { judgeAnswers } from './judge-answers.ts';
import {
  findFormRules,
  findSubmission,
  lockSubmission,
  type SubmissionKey,
  type SubmissionRow,
} from './queries.ts';

/** A form that changes faster than this many looks at it is saved again and again by somebody. */
const MAX_LOOKS = 5;

/**
 * An owner's edit: all answers are replaced, checked like new ones, whatever the state of the form. A partial
 * submission becomes complete. Webhooks do not fire: they tell of new submissions.
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

/** Ends the transaction without a trace. */
class FileTaken extends Error {}

/** @returns the numeric id, or null when the form changed after its rules were read, or a file was taken meanwhile. */
async function replaceByRules(
  context: Context,
  formId: number,
  key: SubmissionKey,
  body: Answers,
  actor: Actor,
): Promise<number | null> {
  const { db } = context;
  const [rules, before] = await Promise.all([findFormRules(db, formId), findSubmission(db, formId, key)]);
  if (!rules || !before) throw notFound('Submission');
  const errors = emptyErrorBag();
  const completionTime = readCompletionTime(body.completion_time, errors);
  const { properties, language } = rules;
  const compiled = compileForm({ properties, messages: messagesFor(language) }, serverEngines);
  const form = { id: formId, compiled };
  const judged = await judgeAnswers(db, form, answersIn(body, properties), errors, {
    partial: false,
    ownPublicId: before.public_id,
    publicId: before.public_id,
    before: before.data,
  });
  const answers = await keepDrawings(context, form, judged);
  const replacing = db.transaction().execute(async (trx) => {
    const gate = await lockFormGate(trx, formId);
    if (gate?.revision !== rules.revision) return null;
    const status = await lockSubmission(trx, formId, before.id);
    if (status !== 'completed' && status !== 'partial') throw notFound('Submission');
    const replaced = { publicId: before.public_id, status: 'completed' as const, answers, completionTime };
    await overwriteSubmission(trx, formId, replaced, status);
    if (status === 'partial') await addToCounters(trx, formId, 1, -1);
    if (!(await exchangeFiles(trx, form, before.public_id, answers))) throw new FileTaken();
    const target = { id: before.id, name: before.public_id };
    await recordEvent(trx, actor, { verb: 'submission.changed', formId, target });
    return before.id;
  });
  return replacing.catch((error: unknown) => {
    if (error instanceof FileTaken) return null;
    throw error;
  });
}
