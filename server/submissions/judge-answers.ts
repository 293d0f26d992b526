import { randomUUID } from 'node:crypto';
import type { CompiledForm } from '../../fields/compile-form.ts';
import type { SubmissionLookup } from '../../fields/logic.ts';
import { isBlank } from '../../fields/options.ts';
import { type Answers, type ErrorBag, emptyErrorBag } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';
import { knowFiles } from '../files/claim-files.ts';
import { invalid } from '../http/errors.ts';
import { limitConcurrency } from '../limit-concurrency.ts';
import { answerExists, nextAutoIncrement } from './published-form-queries.ts';

/** What answers are checked against. */
export interface FormRules {
  id: number;
  compiled: CompiledForm;
}

/**
 * Checks the answers against the form and returns what to store.
 * @param errors problems already found in the envelope; they are reported together with those of the answers
 * @param ownPublicId the submission that is being edited: it does not count as an earlier one
 * @param publicId the submission that these answers are of or will be of: files that it holds it may keep
 * @param before the answers it has had so far: ids and numbers that were made for it stay when none are sent
 * @throws HttpError 422 with every problem of every field
 */
export async function judgeAnswers(
  db: Db,
  form: FormRules,
  received: Answers,
  errors: ErrorBag,
  {
    partial,
    ownPublicId,
    publicId,
    before,
  }: { partial: boolean; ownPublicId: string | null; publicId: string; before: Answers | null },
): Promise<Answers> {
  const sent = before ? withGenerated(form, received, before) : received;
  const lookups = partial ? [] : form.compiled.lookups(sent);
  const known = lookups.length > 0 ? await lookUp(db, form.id, lookups, ownPublicId) : null;
  const files = form.compiled.fileTexts(sent);
  const result = form.compiled.check(sent, {
    partial,
    makeUuid: randomUUID,
    ...(files.length > 0 && { findFile: await knowFiles(db, form.id, files, publicId) }),
    ...(known && { existsInSubmissions: (lookup: SubmissionLookup) => known.has(lookupKey(lookup)) }),
  });
  // Those of the envelope come first, and are English.
  if (Object.keys(errors).length > 0) throw invalid(merge(errors, result.errors ?? {}));
  if (result.errors) throw invalid(result.errors, form.compiled.messages.andMore);
  if (!partial && ownPublicId === null) await numberAnswers(db, form, result.answers);
  return result.answers;
}

function withGenerated({ compiled }: FormRules, sent: Answers, before: Answers): Answers {
  const kept = compiled.generatedIds.filter((id) => isBlank(sent[id]) && !isBlank(before[id]));
  if (kept.length === 0) return sent;
  return { ...sent, ...Object.fromEntries(kept.map((id) => [id, before[id] ?? null])) };
}

/**
 * A look-up may read every submission of the form, and anybody may ask for it by answering. Two at a time leave the
 * database to everybody else.
 */
const inTurn = limitConcurrency(2, 100);

async function lookUp(db: Db, formId: number, lookups: SubmissionLookup[], ownPublicId: string | null) {
  const known = new Set<string>();
  await Promise.all(
    lookups.map(async (lookup) => {
      const exists = () => answerExists(db, formId, lookup.propertyId, lookup.value, ownPublicId);
      if (await inTurn(exists)) known.add(lookupKey(lookup));
    }),
  );
  return known;
}

function lookupKey({ propertyId, value }: SubmissionLookup): string {
  return `${propertyId} ${JSON.stringify(value)}`;
}

/** One number per submission, shared by all its numbering fields; a number that was sent is kept. */
async function numberAnswers(db: Db, form: FormRules, answers: Answers): Promise<void> {
  const open = form.compiled.autoIncrementIds.filter((id) => !/^\d+$/.test(String(answers[id] ?? '')));
  if (open.length === 0) return;
  const number = await nextAutoIncrement(db, form.id);
  if (number !== null) for (const id of open) answers[id] = String(number);
}

function merge(first: ErrorBag, second: ErrorBag): ErrorBag {
  return Object.assign(emptyErrorBag(), first, second);
}
