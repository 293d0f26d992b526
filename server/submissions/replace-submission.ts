import { compileForm } from '../../fields/compile-form.ts';
import { messagesFor } from '../../fields/languages/languages.ts';
import { type Answers, emptyErrorBag } from '../../fields/property.ts';
import { serverEngines } from '../../fields/server-engines.ts';
import type { Db } from '../db/database.ts';
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
  db: Db,
  formId: number,
  key: SubmissionKey,
  body: Answers,
): Promise<SubmissionRow> {
  for (let look = 0; look < MAX_LOOKS; look++) {
    const id = await replaceByRules(db, formId, key, body);
    const after = id === null ? null : await findSubmission(db, formId, { id });
    if (after) return after;
  }
  throw unavailable();
}

/** @returns the numeric id, or null when the form changed after its rules were read. */
async function replaceByRules(
  db: Db,
  formId: number,
  key: SubmissionKey,
  body: Answers,
): Promise<number | null> {
  const [rules, before] = await Promise.all([findFormRules(db, formId), findSubmission(db, formId, key)]);
  if (!rules || !before) throw notFound('Submission');
  const errors = emptyErrorBag();
  const completionTime = readCompletionTime(body.completion_time, errors);
  const { properties, language } = rules;
  const compiled = compileForm({ properties, messages: messagesFor(language) }, serverEngines);
  const form = { id: formId, compiled };
  const answers = await judgeAnswers(db, form, body, errors, {
    partial: false,
    ownPublicId: before.public_id,
  });
  return db.transaction().execute(async (trx) => {
    const gate = await lockFormGate(trx, formId);
    if (gate?.revision !== rules.revision) return null;
    const status = await lockSubmission(trx, formId, before.id);
    if (status !== 'completed' && status !== 'partial') throw notFound('Submission');
    const replaced = { publicId: before.public_id, status: 'completed' as const, answers, completionTime };
    await overwriteSubmission(trx, formId, replaced, status);
    if (status === 'partial') await addToCounters(trx, formId, 1, -1);
    return before.id;
  });
}
