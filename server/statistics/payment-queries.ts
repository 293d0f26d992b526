import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { CountedStatus } from './answer-queries.ts';
import type { DayRange } from './range.ts';

/** What was paid in one currency and mode. */
export interface PaymentSum {
  currency: string;
  mode: string;
  count: number;
  /** In the smallest unit of the currency. */
  minor: number;
}

/** What was paid for the submissions created in the range that are neither in the trash nor set aside; real money first. */
export async function sumPayments(
  db: Db,
  formId: number,
  { from, to }: DayRange,
  status: CountedStatus,
): Promise<PaymentSum[]> {
  const { rows } = await sql<PaymentSum>`
    select currency, mode, count(*) as count, sum(amount_minor)::float8 as minor
    from payments join submissions using (form_id, public_id)
    where form_id = ${formId} and (${status} = 'all' or status = ${status})
      and created_at >= ${from}::date::timestamp at time zone 'UTC'
      and created_at < (${to}::date + 1)::timestamp at time zone 'UTC'
    group by currency, mode
    order by mode, sum(amount_minor) desc, currency`.execute(db);
  return rows;
}
