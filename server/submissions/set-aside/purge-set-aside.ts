import type { Db } from '../../db/database.ts';
import { purgeOverdue } from '../purge-overdue.ts';
import { findFormsWithOverdue, findOverdueIds } from './queries.ts';

/** Deletes what was set aside so long ago that nobody will decide about it. @throws FormsFailed at the end */
export function purgeSetAside(db: Db, stopping: AbortSignal): Promise<void> {
  return purgeOverdue(db, { findForms: findFormsWithOverdue, findIds: findOverdueIds }, stopping);
}
