import type { Context } from '../../context.ts';
import { submissionHash } from '../../submissions/acceptance/submission-hash.ts';
import type { PublishedForm } from '../../submissions/published-form/published-form.ts';
import { findUsedKey } from '../../submissions/store-queries.ts';
import { findAnswers } from '../queries.ts';

/** Query key of a sent form: the `Idempotency-Key` with which the script first saved its answers. */
export const FIRST_SAVE = 'first_save';
/** As the script makes it, with 128 random bits. Keys of other clients may be guessed, so they lead to no submission. */
const KEY = /^\d{1,10}(-\d{1,10}){4}$/;

/**
 * Hash of the partial submission that a first save has stored, for a page that never received the response; null if there is none,
 * or it was completed.
 */
export async function hashOfFirstSave(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  form: PublishedForm,
  key: string | null,
): Promise<string | null> {
  if (key === null || !KEY.test(key)) return null;
  const used = await findUsedKey(db, form.id, key);
  if (!used?.wasPartial) return null;
  const id = used.submissionPublicId;
  return (await findAnswers(db, form.id, id, 'partial')) && submissionHash(secrets, form.id, id);
}
