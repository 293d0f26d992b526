import type { Db } from '../db/database.ts';
import { findChanges, type SubmissionChange } from '../submissions/changes/queries.ts';
import { fieldsWith, type PersonValue } from './person-value.ts';
import {
  findFormsWithRecipients,
  findRecipientCandidates,
  type PersonRecipient,
} from './recipient-queries.ts';
import {
  type DraftPosition,
  findCandidates,
  findDraftCandidates,
  findForms,
  type PersonDraft,
  type PersonForm,
  type PersonSubmission,
} from './search-queries.ts';

/** A submission that holds the value. */
export interface Hit {
  form: PersonForm;
  submission: PersonSubmission;
  /** Ids of the fields whose answer it is. */
  fields: string[];
  /** How the submission was changed, the latest first. */
  changes: SubmissionChange[];
  /** Ids of the fields whose answer it was before that. */
  earlierFields: string[];
}

/** How far a search has come: the form it is in, and the last submission looked at there. */
export interface Position {
  formId: number;
  submissionId: number;
}

export const START: Position = { formId: 0, submissionId: 0 };

/** A step of a search: what it found in one form, and where the next one begins. */
export interface Step {
  form: PersonForm;
  hits: Hit[];
  next: Position;
}

/**
 * Looks through all submissions of a workspace, partial ones too, in steps of milliseconds (of a second where answers are large),
 * for as long as the caller goes on. null searches all workspaces.
 * @throws the reason of `leaving`, between two steps
 */
export async function* search(
  db: Db,
  workspaceId: number | null,
  value: PersonValue,
  from: Position = START,
  leaving?: AbortSignal,
): AsyncGenerator<Step> {
  let { formId, submissionId } = from;
  for (;;) {
    const forms = await findForms(db, workspaceId, formId);
    for (const form of forms) {
      // A form that is new to the search is searched from its first submission.
      if (form.id !== formId) submissionId = 0;
      formId = form.id;
      for (;;) {
        leaving?.throwIfAborted();
        const found = await findCandidates(db, form.id, submissionId, value);
        if (!found) break;
        submissionId = found.last;
        const hits = await hitsAmong(db, form, found.candidates, value);
        yield { form, hits, next: { formId, submissionId } };
      }
    }
    if (forms.length === 0) return;
    formId += 1;
    submissionId = 0;
  }
}

/** Of candidates those that hold the value, or held it. */
export async function hitsAmong(
  db: Db,
  form: PersonForm,
  candidates: readonly PersonSubmission[],
  value: PersonValue,
): Promise<Hit[]> {
  const all = await findChanges(
    db,
    form.id,
    candidates.map(({ id }) => id),
  );
  const changesOf = Map.groupBy(all, (change) => change.submission_id);
  return candidates.flatMap((submission) => {
    const changes = changesOf.get(submission.id) ?? [];
    const fields = fieldsWith(value, submission.data, form.properties);
    const earlier = changes.flatMap(({ answers }) => fieldsWith(value, answers, form.properties));
    const earlierFields = [...new Set(earlier)];
    const isHit = fields.length > 0 || earlierFields.length > 0;
    return isHit ? [{ form, submission, fields, changes, earlierFields }] : [];
  });
}

const FIRST_DRAFT: DraftPosition = { form_id: 0, id_hash: Buffer.alloc(0) };

/**
 * Looks through what visitors have typed and not sent, in steps as `search` does: each gives what it found.
 * @throws the reason of `leaving`, between two steps
 */
export async function* searchDrafts(
  db: Db,
  workspaceId: number | null,
  value: PersonValue,
  leaving?: AbortSignal,
): AsyncGenerator<PersonDraft[]> {
  let after = FIRST_DRAFT;
  for (;;) {
    leaving?.throwIfAborted();
    const found = await findDraftCandidates(db, workspaceId, after, value);
    if (!found) return;
    after = found.last;
    yield found.candidates.filter(({ answers }) => fieldsWith(value, answers).length > 0);
  }
}

/**
 * Looks through the recipients of forms, as `search` does: whom they were sent to, and for whom they are filled in with the value.
 * @throws the reason of `leaving`, between two steps
 */
export async function* searchRecipients(
  db: Db,
  workspaceId: number | null,
  value: PersonValue,
  leaving?: AbortSignal,
): AsyncGenerator<{ formId: number; recipients: PersonRecipient[] }> {
  for (let after = 0; ; ) {
    const forms = await findFormsWithRecipients(db, workspaceId, after);
    for (const formId of forms) {
      for (let last = 0; ; ) {
        leaving?.throwIfAborted();
        const found = await findRecipientCandidates(db, formId, last, value);
        if (!found) break;
        last = found.last;
        yield { formId, recipients: recipientsWith(value, found.candidates) };
      }
      after = formId;
    }
    if (forms.length === 0) return;
  }
}

/** Of candidates those who are the person, or for whom a form is filled in with the value. */
export function recipientsWith(
  value: PersonValue,
  candidates: readonly PersonRecipient[],
): PersonRecipient[] {
  return candidates.filter(
    ({ is_person, prefill }) => is_person || fieldsWith(value, prefill ?? {}).length > 0,
  );
}

const CURSOR = /^(\d{1,16})-(\d{1,16})$/;

export function writeCursor({ formId, submissionId }: Position): string {
  return `${formId}-${submissionId}`;
}

/** null for what is no cursor. */
export function readCursor(text: string | undefined): Position | null {
  if (text === undefined) return START;
  const [, formId, submissionId] = CURSOR.exec(text) ?? [];
  if (formId === undefined || submissionId === undefined) return null;
  return { formId: Number(formId), submissionId: Number(submissionId) };
}
