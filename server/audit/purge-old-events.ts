import type { Db } from '../db/database.ts';
import { deleteOldAuditEvents } from './queries.ts';

/** Rows removed by one statement, so that none holds its locks for long. */
const CHUNK = 5_000;

/** The job: the audit log is kept for 400 days. */
export async function purgeOldAuditEvents(db: Db, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted && (await deleteOldAuditEvents(db, CHUNK)) === CHUNK);
}
