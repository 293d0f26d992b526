import { presentAuthor } from '../../accounts/present-user.ts';
import type { ReviewEntry } from './queries.ts';

/** One entry of a history, as members read it. */
export function presentEntry({ id, created_at, user_id, user_name, state, note }: ReviewEntry) {
  return {
    id,
    created_at: created_at.toISOString(),
    author: presentAuthor(user_id, user_name),
    state,
    note,
  };
}
