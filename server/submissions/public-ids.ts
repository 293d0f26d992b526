import { isAtLeast, type MemberRole } from '../access/abilities.ts';
import type { Db } from '../db/database.ts';
import { isEditable } from './queries.ts';

/**
 * Whether a member sees the public ids of a form's submissions. Where respondents may edit their answers, knowing the id is enough
 * to do so; there only members who may edit submissions anyway see it.
 */
export async function seesPublicIds(
  db: Db,
  { id: formId, role }: { id: number; role: MemberRole },
): Promise<boolean> {
  return isAtLeast(role, 'user') || !(await isEditable(db, formId));
}
