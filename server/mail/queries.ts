import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A counter with a limit for one hour, or one day (UTC). */
interface MailCount {
  counted: string;
  period: 'hour' | 'day';
  limit: number;
}

/** Counts one mail of a form, exactly across all processes. @returns false when the limit is reached */
export async function takeMailPlace(
  db: Db,
  formId: number,
  { counted, period, limit }: MailCount,
): Promise<boolean> {
  const { rows } = await sql`
    insert into mail_counts (form_id, counted, since, count)
    values (${formId}, ${counted}, date_trunc(${period}, now(), 'UTC'), 1)
    on conflict (form_id, counted, since) do update set count = mail_counts.count + 1
      where mail_counts.count < ${limit}
    returning count`.execute(db);
  return rows.length > 0;
}
