import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { FigureOfQuestion } from './figures.ts';

/** Results as they were worked out. */
export interface KeptResults {
  asked: string;
  submissions: number;
  results: FigureOfQuestion[];
}

/** What is kept of a form, and how many complete submissions it has now. */
export async function findKeptResults(
  db: Db,
  formId: number,
): Promise<{ completed: number; kept: KeptResults | null }> {
  const row = await db
    .selectFrom('form_counters')
    .leftJoin('form_results', 'form_results.form_id', 'form_counters.form_id')
    .where('form_counters.form_id', '=', formId)
    .select(['completed_count', 'asked', 'submissions', 'results'])
    .executeTakeFirst();
  const { asked = null, submissions = null, results = null } = row ?? {};
  const kept =
    asked === null || submissions === null
      ? null
      : { asked, submissions, results: results as unknown as FigureOfQuestion[] };
  return { completed: row?.completed_count ?? 0, kept };
}

/**
 * Keeps newly worked out results, unless another process has just kept some that are less than a step apart from them: two
 * that differ by one submission would tell what it says.
 * @returns what is kept then
 */
export async function keepResults(
  db: Db,
  formId: number,
  { asked, submissions, results }: KeptResults,
  step: number,
): Promise<KeptResults | null> {
  await sql`
    insert into form_results (form_id, asked, submissions, results)
    values (${formId}, ${asked}, ${submissions}, ${JSON.stringify(results)}::jsonb)
    on conflict (form_id) do update
    set asked = excluded.asked, submissions = excluded.submissions, results = excluded.results, made_at = now()
    where form_results.asked <> excluded.asked
      or excluded.submissions < form_results.submissions
      or excluded.submissions >= form_results.submissions + ${step}`.execute(db);
  return (await findKeptResults(db, formId)).kept;
}
