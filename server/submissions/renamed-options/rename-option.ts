import { isJsonObject, type JsonValue } from '../../../fields/property.ts';
import type { NamedForm } from '../../access/queries.ts';
import type { Actor } from '../../audit/actor.ts';
import { recordEvent } from '../../audit/record-event.ts';
import type { Db, Transaction } from '../../db/database.ts';
import { findProperties } from '../../forms/queries.ts';
import { invalid } from '../../http/errors.ts';
import { followRenamingInViews } from '../../saved-views/follow-renaming.ts';
import { underFormGate } from '../lock-gate.ts';
import { findQuestion, type Question } from './find-question.ts';
import { findChoosing, findChosen, overwriteAnswers } from './queries.ts';

/** A request begins no further step after this time. */
const LIMIT_MS = 5_000;
/** Submissions changed by one transaction: new submissions to the form wait for it. */
const CHUNK = 500;

interface Renaming {
  /** Id of the field, or of a repeated question inside it. */
  propertyId: string;
  from: string;
  to: string;
}

/**
 * Replaces a former name of an option by its present one in stored answers, for some seconds at most. Nothing else in them changes,
 * and no integration is told; the audit log gets an entry for each call that changed any. In the end saved views follow.
 * @param after id of the last submission that was looked at before; 0 to begin
 * @returns how many were changed, and the `after` of the next call; null when all is done
 * @throws HttpError 404 when the form is gone, 409 when it was moved meanwhile, 422 when no option has the present name, or one
 * still has the former name
 */
export async function renameOption(
  db: Db,
  form: NamedForm,
  renaming: Renaming,
  after: number,
  actor: Actor,
): Promise<{ renamed: number; nextAfter: number | null }> {
  const deadline = performance.now() + LIMIT_MS;
  const question = questionOf(await findProperties(db, form.id), renaming);
  const details = { property_id: renaming.propertyId };
  const event = { verb: 'submission.option_renamed' as const, formId: form.id, details };
  let renamed = 0;
  let position = after;
  while (performance.now() < deadline) {
    const found = await findChoosing(db, form.id, { question, name: renaming.from }, position);
    if (!found) {
      await underFormGate(db, form, (trx) => renameInViews(trx, form.id, renaming, actor));
      return { renamed, nextAfter: null };
    }
    for (let start = 0; start < found.ids.length; start += CHUNK) {
      const ids = found.ids.slice(start, start + CHUNK);
      renamed += await underFormGate(db, form, async (trx) => {
        const count = await renameIn(trx, form.id, renaming, ids);
        if (count > 0 && renamed === 0) await recordEvent(trx, actor, event);
        return count;
      });
    }
    position = found.last;
  }
  return { renamed, nextAfter: position };
}

/** Checks everything again, now under the lock that saving the form and changing answers take too. */
async function renameIn(
  trx: Transaction,
  formId: number,
  renaming: Renaming,
  ids: number[],
): Promise<number> {
  const { from, to } = renaming;
  const question = questionOf(await findProperties(trx, formId), renaming);
  const chosen = await findChosen(trx, formId, { question, name: from }, ids);
  const answers = chosen.flatMap(({ id, answer: before }) => {
    const answer = renamedAnswer(before, question, from, to);
    // An answer in another shape, from when the question had another type, is left as it is.
    return JSON.stringify(answer) === JSON.stringify(before) ? [] : [{ id, answer }];
  });
  if (answers.length > 0) await overwriteAnswers(trx, formId, question.field, answers);
  return answers.length;
}

async function renameInViews(
  trx: Transaction,
  formId: number,
  renaming: Renaming,
  actor: Actor,
): Promise<void> {
  const { field, repeated, isRanking } = questionOf(await findProperties(trx, formId), renaming);
  const { from, to } = renaming;
  // An entry has a text for all its questions, of which any may be meant.
  if (repeated === null) await followRenamingInViews(trx, formId, { field, isRanking, from, to }, actor);
}

function questionOf(properties: Parameters<typeof findQuestion>[0], renaming: Renaming): Question {
  const question = findQuestion(properties, renaming.propertyId);
  if (!question) throw invalid({ property_id: ['The form has no field of this id with options.'] });
  const { options } = question;
  if (!options.includes(renaming.to)) throw invalid({ to: ['The field has no option of this name.'] });
  if (options.includes(renaming.from))
    throw invalid({ from: ['The field still has an option of this name.'] });
  return question;
}

function renamedAnswer(answer: JsonValue, { repeated }: Question, from: string, to: string): JsonValue {
  if (repeated === null) return renamedChoice(answer, from, to);
  if (!Array.isArray(answer)) return answer;
  return answer.map((entry) =>
    isJsonObject(entry) && entry[repeated] !== undefined
      ? { ...entry, [repeated]: renamedChoice(entry[repeated], from, to) }
      : entry,
  );
}

/** In a list the present name is kept once, even if both names were in it. */
function renamedChoice(choice: JsonValue, from: string, to: string): JsonValue {
  if (choice === from) return to;
  if (!Array.isArray(choice) || !choice.includes(from)) return choice;
  return [...new Set(choice.map((name) => (name === from ? to : name)))];
}
