import { createHash } from 'node:crypto';
import type { Answers, ErrorBag } from '../../../fields/property.ts';
import type { Context } from '../../context.ts';
import type { Db } from '../../db/database.ts';
import { HttpError } from '../../http/errors.ts';
import { formProtected } from '../../submissions/acceptance/form-access.ts';
import { hasShownPassword } from '../../submissions/acceptance/unlock-key.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { deleteDraft, findDraft, measureDrafts, updateDraft, upsertDraft } from '../queries.ts';
import type { Visit } from './visit.ts';

/** Limits for the drafts of one form, because anybody may leave drafts and they share the database with everything else. */
const MAX_COUNT = 100_000;
const MAX_BYTES = 1024 ** 3;
/** Visits that already have a draft go on up to this limit. */
const MAX_BYTES_BEGUN = 2 * MAX_BYTES;
/** Milliseconds: the drafts of a form are measured no more often, however busy it is. */
const MEASURED_FOR_MS = 10_000;
const MAX_REMEMBERED = 1_000;
const TRY_AGAIN_SECONDS = '600';

/** Answers as typed, of a form not sent yet (`form_drafts`). For the draft of a form itself see forms/drafts/. */
export interface Draft {
  answers: Answers;
  /** Problems found when they were last sent; empty if there were none, or nobody checked. */
  problems: ErrorBag;
}

/** @param visitId random id in the visitor's address; only its hash is stored */
export function loadDraft(
  db: Db,
  formId: number,
  visitId: string,
): Promise<(Draft & { savedAt: Date }) | null> {
  return findDraft(db, formId, hashOf(visitId));
}

/** @throws HttpError 403 if the visit has not shown the form's password, 429 for a new draft when the form has all it may */
export type SaveDraft = (
  place: { form: PublishedForm; visit: Pick<Visit, 'id' | 'key'> },
  draft: Draft,
) => Promise<void>;

export function createDraftSaver({ db, secrets }: Pick<Context, 'db' | 'secrets'>): SaveDraft {
  const roomOf = createMeasure(db);
  return async ({ form, visit }, draft) => {
    if (!hasShownPassword(secrets, form, visit.key)) throw formProtected();
    const [room, idHash] = [await roomOf(form.id), hashOf(visit.id)];
    if (room === 'for all') return upsertDraft(db, form.id, idHash, draft);
    if (room === 'for who has begun' && (await updateDraft(db, form.id, idHash, draft))) return;
    throw new HttpError(
      429,
      'Too many people have begun this form without sending it. Please try again later.',
      { error: 'too_many_drafts' },
      { 'retry-after': TRY_AGAIN_SECONDS },
    );
  };
}

/** Whose drafts there is room for. */
type Room = 'for all' | 'for who has begun' | 'for nobody';

/** Room for drafts of a form, measured at most `MEASURED_FOR_MS` ago. */
function createMeasure(db: Db): (formId: number) => Promise<Room> {
  const known = new Map<number, { room: Promise<Room>; until: number }>();
  const measure = async (formId: number): Promise<Room> => {
    const { count, bytes } = await measureDrafts(db, formId, MAX_COUNT);
    if (bytes >= MAX_BYTES_BEGUN) return 'for nobody';
    return count >= MAX_COUNT || bytes >= MAX_BYTES ? 'for who has begun' : 'for all';
  };
  return (formId) => {
    const now = performance.now();
    const last = known.get(formId);
    if (last && now < last.until) return last.room;
    if (known.size >= MAX_REMEMBERED) known.clear();
    const room = measure(formId);
    known.set(formId, { room, until: now + MEASURED_FOR_MS });
    room.catch(() => known.delete(formId));
    return room;
  };
}

/** To be called after the answers were submitted. */
export function dropDraft(db: Db, formId: number, visitId: string): Promise<void> {
  return deleteDraft(db, formId, hashOf(visitId));
}

function hashOf(visitId: string): Buffer {
  return createHash('sha256').update(visitId).digest();
}
