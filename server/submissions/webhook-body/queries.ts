import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';

/** How a submission got into its form. */
export const ARRIVALS = ['answered', 'imported', 'restored'] as const;
export type Arrival = (typeof ARRIVALS)[number];

/** An import is known by its source id only; without one it counts as answered. */
export async function findArrival(db: Db, formId: number, id: number): Promise<Arrival> {
  const { rows } = await sql<{ restored: boolean; imported: boolean }>`
    select
      exists (select from former_submission_ids where form_id = ${formId} and submission_id = ${id}) as restored,
      exists (select from imported_submissions where form_id = ${formId} and submission_id = ${id}) as imported`.execute(
    db,
  );
  const [found] = rows;
  if (found?.restored) return 'restored';
  return found?.imported ? 'imported' : 'answered';
}
