import { randomUUID } from 'node:crypto';
import { isBlank } from '../../../fields/block-options/options.ts';
import type { CompiledForm } from '../../../fields/compile-form.ts';
import { type Answers, addError, type ErrorBag, emptyErrorBag, ownMember } from '../../../fields/property.ts';
import { isLongerThan } from '../../../fields/texts/characters.ts';
import { parseUuid } from '../../http/schemas/ids.ts';
import { readMoment } from '../../http/schemas/moments.ts';
import { readCompletionTime } from '../acceptance/envelope.ts';

/** A submission from another product, as it was sent. */
export interface SentSubmission {
  answers: object;
  created_at?: string | null;
  completion_time?: number | string | null;
  source_id?: string | null;
}

/** A submission that fits, ready to be stored. */
export interface ImportedSubmission {
  /** Its index in the request. */
  index: number;
  publicId: string;
  answers: Answers;
  createdAt: Date;
  /** Its moment was sent; otherwise it is now. */
  isDated: boolean;
  /** Seconds. */
  completionTime: number | null;
  sourceId: string | null;
}

export interface Refusal {
  index: number;
  errors: ErrorBag;
}

/** Characters. */
const MAX_SOURCE_ID = 255;

/**
 * Checks each submission by itself. They answered another form, so `required`, logic and the author's own rules do not apply; a date
 * that must not be past or future is compared with the day of its submission.
 * @param oldestKept see `findOldestKept`
 */
export function judgeImport(
  compiled: CompiledForm,
  sent: readonly SentSubmission[],
  oldestKept: Date | null,
): { fitting: ImportedSubmission[]; refused: Refusal[] } {
  const now = new Date();
  const names = new Set<string>();
  const fitting: ImportedSubmission[] = [];
  const refused: Refusal[] = [];
  sent.forEach((submission, index) => {
    const errors = emptyErrorBag();
    // All spellings of a UUID are the same source id.
    const sourceId = parseUuid(submission.source_id ?? '') ?? (submission.source_id || null);
    if (sourceId !== null && isLongerThan(sourceId, MAX_SOURCE_ID))
      addError(errors, 'source_id', `The source id may not be greater than ${MAX_SOURCE_ID} characters.`);
    else if (sourceId !== null && names.has(sourceId))
      addError(errors, 'source_id', 'Another submission before it has the same source id.');
    const createdAt = readCreatedAt(submission.created_at, { now, oldestKept }, errors);
    const completionTime = readCompletionTime(submission.completion_time, errors);
    const answers = checkAnswers(compiled, submission.answers as Answers, createdAt, errors);
    if (Object.keys(errors).length > 0) {
      refused.push({ index, errors });
      return;
    }
    if (sourceId !== null) names.add(sourceId);
    fitting.push({
      index,
      publicId: randomUUID(),
      answers,
      createdAt,
      isDated: Boolean(submission.created_at),
      completionTime,
      sourceId,
    });
  });
  return { fitting, refused };
}

function readCreatedAt(
  sent: string | null | undefined,
  { now, oldestKept }: { now: Date; oldestKept: Date | null },
  errors: ErrorBag,
): Date {
  if (sent === undefined || sent === null || sent === '') return now;
  const moment = readMoment(sent);
  if (!moment) addError(errors, 'created_at', 'The created_at is not a valid date.');
  else if (moment > now) addError(errors, 'created_at', 'The created_at may not be in the future.');
  else if (oldestKept && moment <= oldestKept) {
    const message = 'The submission is older than the form keeps submissions: it would be deleted at once.';
    addError(errors, 'created_at', message);
  }
  return moment ?? now;
}

/** @returns the answers to store */
function checkAnswers(compiled: CompiledForm, sent: Answers, createdAt: Date, errors: ErrorBag): Answers {
  const files = compiled.fileFieldIds.filter((id) => !isBlank(ownMember(sent, id)));
  const withoutFiles = { ...sent };
  for (const id of files) delete withoutFiles[id];
  // Checked like partial submissions: types and limits, not completeness.
  const result = compiled.check(withoutFiles, { partial: true, now: createdAt });
  // A field may be called `source_id`, whose problems stay.
  for (const [id, messages] of Object.entries(result.errors ?? {}))
    for (const message of messages) addError(errors, id, message);
  for (const id of files) addError(errors, id, 'Files and signatures cannot be imported.');
  return result.answers;
}
