import { type Answers, addError, type ErrorBag } from '../../../fields/property.ts';
import { parseUuid } from '../../http/schemas/ids.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { type Attribution, readAttribution } from './attribution.ts';

/** What a public submission carries besides the answers. */
export interface Envelope {
  isPartial: boolean;
  /** Names the partial submission to go on with. */
  submissionHash: string | null;
  /** Names the completed submission to edit, where the form allows that. */
  submissionId: string | null;
  /** Seconds. */
  completionTime: number | null;
  attribution: Attribution | null;
}

const TRUE = new Set<unknown>([true, 1, '1', 'true', 'on', 'yes']);
const FALSE = new Set<unknown>([false, 0, '0', 'false', '', null, undefined]);
const DECIMAL = /^\d{1,12}(\.\d{1,12})?$/;
/** Ten years. */
const MAX_COMPLETION_SECONDS = 10 * 365 * 24 * 3600;

/**
 * Reads the reserved keys of the body; every problem goes to `errors`. An empty text counts as absent: clients that fill in
 * templates send one where they have no value.
 */
export function readEnvelope(body: Answers, errors: ErrorBag): Envelope {
  return {
    isPartial: readIsPartial(body.is_partial, errors),
    submissionHash: readText(body, 'submission_hash', errors),
    submissionId: readSubmissionId(body, errors),
    completionTime: readCompletionTime(body.completion_time, errors),
    attribution: readAttribution(body.tracking_parameters, errors),
  };
}

/** Whether the body edits a completed submission. Knowing its id is permission enough. */
export function isEdit({ isEditable }: Pick<PublishedForm, 'isEditable'>, body: Answers): boolean {
  return isEditable && Boolean(body.submission_id) && !body.submission_hash && !isPartialAnswer(body);
}

/** Whether the body is to be stored as a partial answer. */
export function isPartialAnswer(body: Answers): boolean {
  return TRUE.has(body.is_partial);
}

function readIsPartial(sent: unknown, errors: ErrorBag): boolean {
  if (TRUE.has(sent)) return true;
  if (!FALSE.has(sent)) addError(errors, 'is_partial', 'The is partial field must be true or false.');
  return false;
}

function readText(body: Answers, key: string, errors: ErrorBag): string | null {
  const sent = body[key];
  if (isNone(sent)) return null;
  if (typeof sent === 'string') return sent;
  addError(errors, key, `The ${key.replaceAll('_', ' ')} must be a valid text.`);
  return null;
}

function readSubmissionId(body: Answers, errors: ErrorBag): string | null {
  const sent = readText(body, 'submission_id', errors);
  const uuid = parseUuid(sent);
  if (sent !== null && uuid === null)
    addError(errors, 'submission_id', 'The selected submission id is invalid.');
  return uuid;
}

/** Seconds, also written as text; null when absent or wrong. */
export function readCompletionTime(sent: unknown, errors: ErrorBag): number | null {
  if (isNone(sent)) return null;
  const seconds = typeof sent === 'string' && DECIMAL.test(sent) ? Number(sent) : sent;
  if (typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_COMPLETION_SECONDS) return seconds;
  if (typeof seconds === 'number')
    addError(
      errors,
      'completion_time',
      `The completion time must be between 0 and ${MAX_COMPLETION_SECONDS} seconds.`,
    );
  else addError(errors, 'completion_time', 'The completion time must be a number.');
  return null;
}

function isNone(sent: unknown): boolean {
  return sent === undefined || sent === null || sent === '';
}
