import { isAtLeast, type MemberRole } from '../access/abilities.ts';
import type { Db } from '../db/database.ts';
import { isEditable } from './queries.ts';

/**
 * Whether a member is told the public ids of a form's submissions. Where respondents may change their answers the id is all it
 * takes, so it is for those who may change answers, too.
 */
export async function seesPublicIds(
  db: Db,
  { id: formId, role }: { id: number; role: MemberRole },
): Promise<boolean> {
  return isAtLeast(role, 'user') || !(await isEditable(db, formId));
}
