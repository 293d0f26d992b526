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
  findSubmissionsAgain,
  type PersonDraft,
  type PersonForm,
  type PersonSubmission,
} from './search-queries.ts';

/** A submission that holds the value. */
export interface Hit {
  form: PersonForm;
  submission: PersonSubmission;
  /** Ids of the fields whose answer is the value. */
  fields: string[];
  /** Changes of the submission, latest first. */
  changes: SubmissionChange[];
  /** Ids of the fields whose answer was the value before a change. */
  earlierFields: string[];
}

/** Whom to search for, and where. */
export interface Sought {
  /** null = all workspaces */
  workspaceId: number | null;
  value: PersonValue;
}

/** Position of a search: the form, and the last submission searched there. */
export interface Position {
  formId: number;
  submissionId: number;
}

export const START: Position = { formId: 0, submissionId: 0 };

/** A step of a search: its finds in one form, and where the next one begins. */
interface Step {
  form: PersonForm;
  hits: Hit[];
  next: Position;
}

/**
 * Searches all submissions of a workspace, partial ones too, in steps of milliseconds (a second
 * with large answers), while the caller continues.
 * @throws the reason of `leaving`, between two steps
 */
export async function* search(
  db: Db,
  { workspaceId, value }: Sought,
  from: Position = START,
  leaving?: AbortSignal,
): AsyncGenerator<Step> {
  let { formId, submissionId } = from;
  for (;;) {
    const forms = await findForms(db, workspaceId, formId);
    for (const form of forms) {
      // A new form is searched from its first submission.
      if (form.id !== formId) submissionId = 0;
      formId = form.id;
      for (;;) {
        leaving?.throwIfAborted();
        const found = await findCandidates(db, form, submissionId, value);
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

/** The candidates that hold the value, or held it. */
export async function hitsAmong(...candidates: Parameters<typeof lookAt>): Promise<Hit[]> {
  return (await lookAt(...candidates)).filter(isHit);
}

/** Which fields of the candidates hold the value, or held it. */
async function lookAt(
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
  return candidates.map((submission) => {
    const changes = changesOf.get(submission.id) ?? [];
    const fields = fieldsWith(value, submission.data, form.properties);
    const earlier = changes.flatMap(({ answers }) => fieldsWith(value, answers, form.properties));
    return { form, submission, fields, changes, earlierFields: [...new Set(earlier)] };
  });
}

function isHit({ fields, earlierFields }: Hit): boolean {
  return fields.length > 0 || earlierFields.length > 0;
}

const FIRST_DRAFT: DraftPosition = { form_id: 0, id_hash: Buffer.alloc(0) };

/** Searches the drafts of visitors in steps, as `search` does. @throws the reason of `leaving`, between two steps */
export async function* searchDrafts(
  db: Db,
  { workspaceId, value }: Sought,
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
 * Searches the recipients of forms in steps, as `search` does: by address or name, and by prefills with the value.
 * @throws the reason of `leaving`, between two steps
 */
export async function* searchRecipients(
  db: Db,
  { workspaceId, value }: Sought,
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

/** What came by the links of these recipients of a form, except for what `search` finds by itself. */
export async function sentUnseen(
  db: Db,
  formId: number,
  recipients: readonly PersonRecipient[],
  value: PersonValue,
): Promise<Hit[]> {
  const ids = recipients.flatMap(sentBy);
  const [form] = ids.length === 0 ? [] : await findForms(db, null, formId, 1);
  if (form?.id !== formId) return [];
  const sent = await findSubmissionsAgain(db, formId, ids);
  return (await lookAt(db, form, sent, value)).filter((hit) => !isHit(hit));
}

/** Ids of the submissions by a recipient's link. Where the value is only a prefill, they are somebody else's. */
export function sentBy({ is_person, submission_id, earlier_ids }: PersonRecipient): number[] {
  return is_person ? [submission_id ?? [], earlier_ids].flat() : [];
}

/** The candidates who are the person, or have the value as a prefill. */
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

/** null for an invalid cursor. */
export function readCursor(text: string | undefined): Position | null {
  if (text === undefined) return START;
  const [, formId, submissionId] = CURSOR.exec(text) ?? [];
  if (formId === undefined || submissionId === undefined) return null;
  return { formId: Number(formId), submissionId: Number(submissionId) };
}
