import { isDeepStrictEqual } from 'node:util';
import { type Answers, ownMember } from '../../../fields/property.ts';
import type { Transaction } from '../../db/database.ts';
import type { Edit } from '../../deliveries/payload.ts';
import type { PublishedForm } from '../published-form/published-form.ts';
import { insertChange, type NewChange } from './queries.ts';

/** A submission that was just overwritten. */
interface Overwritten {
  id: number;
  before: Answers;
  after: Answers;
  at: Date;
}

/**
 * Keeps what the answers of a submission said before they were changed, unless the form is set to forget it. The caller holds the
 * form's lock.
 * @returns what deliveries tell of the change; null when no answer changed
 */
export async function keepChange(
  trx: Transaction,
  form: Pick<PublishedForm, 'id' | 'presentation'>,
  { id, before, after, at }: Overwritten,
  member: NewChange['member'],
): Promise<Edit | null> {
  const answers = changedAnswers(before, after);
  const fieldIds = Object.keys(answers);
  if (fieldIds.length === 0) return null;
  if (form.presentation.settings.forget_changes !== true)
    await insertChange(trx, form.id, id, { answers, member, changedAt: at });
  return { at, fieldIds };
}

/** The former values of the answers that have changed; null where there was none. */
function changedAnswers(before: Answers, after: Answers): Answers {
  const ids = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...ids].filter((id) => !isDeepStrictEqual(answerIn(before, id), answerIn(after, id)));
  return Object.fromEntries(changed.map((id) => [id, answerIn(before, id)]));
}

function answerIn(answers: Answers, id: string) {
  return ownMember(answers, id) ?? null;
}
