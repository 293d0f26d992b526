import type { Db } from '../db/database.ts';
import { deleteOldAuditEvents } from './queries.ts';

/** Rows removed by one statement, so that it holds its locks only briefly. */
const CHUNK = 5_000;

/** The job: keeps the audit log for 400 days. */
export async function purgeOldAuditEvents(db: Db, stopping?: AbortSignal): Promise<void> {
  while (!stopping?.aborted && (await deleteOldAuditEvents(db, CHUNK)) === CHUNK);
}
