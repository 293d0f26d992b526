import { createHash } from 'node:crypto';
import type { Answers, ErrorBag } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';
import { deleteDraft, findDraft, upsertDraft } from './queries.ts';

/** Answers on their way, as they were typed (`form_drafts`). The draft of a form itself is in forms/draft-…. */
export interface Draft {
  answers: Answers;
  /** What was wrong with them when they were last sent; empty when nothing was, or nobody looked. */
  problems: ErrorBag;
}

/** @param visitId the random id in the visitor's address; only its hash is stored */
export function loadDraft(db: Db, formId: number, visitId: string): Promise<Draft | null> {
  return findDraft(db, formId, hashOf(visitId));
}

export function saveDraft(db: Db, formId: number, visitId: string, draft: Draft): Promise<void> {
  return upsertDraft(db, formId, hashOf(visitId), draft);
}

/** After the answers were submitted. */
export function dropDraft(db: Db, formId: number, visitId: string): Promise<void> {
  return deleteDraft(db, formId, hashOf(visitId));
}

function hashOf(visitId: string): Buffer {
  return createHash('sha256').update(visitId).digest();
}
