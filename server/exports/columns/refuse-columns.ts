import { isAtLeast, type MemberRole } from '../../access/abilities.ts';
import type { Db } from '../../db/database.ts';
import { forbidden } from '../../http/errors.ts';
import { seesPublicIds } from '../../submissions/public-ids.ts';
import type { ExportColumn, SystemColumn } from './columns.ts';

/** About recipients, whose list members with the role `readonly` do not see. */
const OF_RECIPIENTS: readonly SystemColumn[] = ['recipient_name', 'recipient_email'];

/**
 * Refuses columns with data that the member must not see.
 * @throws HttpError 403
 */
export async function refuseColumns(
  db: Db,
  form: { id: number; role: MemberRole },
  columns: readonly ExportColumn[],
): Promise<void> {
  const names = columns.flatMap((column) => (column.source === 'system' ? column.name : []));
  const refused = isAtLeast(form.role, 'user') ? [] : names.filter((name) => OF_RECIPIENTS.includes(name));
  if (names.includes('submission_id') && !(await seesPublicIds(db, form))) refused.push('submission_id');
  if (refused.length > 0)
    throw forbidden(`These columns are for members who may change answers: ${refused.join(', ')}.`);
}
