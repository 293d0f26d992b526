import type { ReviewEntry } from './queries.ts';

/** One entry of a history, as members read it. */
export function presentEntry({ id, created_at, user_id, user_name, state, note }: ReviewEntry) {
  return {
    id,
    created_at: created_at.toISOString(),
    // The account may be gone.
    author: user_id === null || user_name === null ? null : { id: user_id, name: user_name },
    state,
    note,
  };
}
