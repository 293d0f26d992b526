import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** A number that may not grow beyond its limit in one hour, or one day (UTC). */
export interface MailCount {
  counted: string;
  period: 'hour' | 'day';
  limit: number;
}

/** Ends the transaction without a trace. */
class Full extends Error {
  readonly counted: string;
  constructor(counted: string) {
    super('full');
    this.counted = counted;
  }
}

/**
 * Counts one mail of a form, in all of these numbers or in none. Exact for all processes together.
 * @returns what is full already, or null when the mail may be sent
 */
export async function takeMailPlace(
  db: Db,
  formId: number,
  counts: readonly MailCount[],
): Promise<string | null> {
  try {
    await db.transaction().execute(async (trx) => {
      for (const { counted, period, limit } of counts) {
        const { rows } = await sql`
          insert into mail_counts (form_id, counted, since, count)
          values (${formId}, ${counted}, date_trunc(${period}, now(), 'UTC'), 1)
          on conflict (form_id, counted, since) do update set count = mail_counts.count + 1
            where mail_counts.count < ${limit}
          returning count`.execute(trx);
        if (rows.length === 0) throw new Full(counted);
      }
    });
    return null;
  } catch (error) {
    if (error instanceof Full) return error.counted;
    throw error;
  }
}
