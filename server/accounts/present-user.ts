import type { User } from './queries.ts';

export function presentUser({ id, name, email, created_at }: User) {
  return { id, name, email, created_at: created_at.toISOString() };
}
