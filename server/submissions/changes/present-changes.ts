import type { Answers } from '../../../fields/property.ts';
import { presentAuthor } from '../../accounts/present-user.ts';
import type { SubmissionChange } from './queries.ts';

/**
 * The changes of one submission, the latest first, each with its answers before and after.
 * @param answers the submission's answers as they are now
 */
export function presentChanges(changes: readonly SubmissionChange[], answers: Answers) {
  const after = new Map(Object.entries(answers));
  return changes.map((change) => {
    const pairs = Object.entries(change.answers).map(([field, before]) => {
      const pair = { before, after: after.get(field) ?? null };
      after.set(field, before);
      return [field, pair] as const;
    });
    return {
      id: change.id,
      changed_at: change.changed_at.toISOString(),
      by: change.is_by_member ? ('member' as const) : ('respondent' as const),
      author: presentAuthor(change.user_id, change.user_name),
      answers: Object.fromEntries(pairs),
    };
  });
}
