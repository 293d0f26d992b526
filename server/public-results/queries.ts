import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { QuestionFigure } from './figures.ts';

/** Results as they were worked out. */
export interface KeptResults {
  step: number;
  submissions: number;
  /** The newest submission of the form at that time. */
  lastId: number;
  /** By field id. */
  questions: Record<string, QuestionFigure>;
}

/** How a form stands beside what is kept of it. */
export interface ResultsMoment {
  /** Null while nothing is kept; `version` names this state of it. */
  kept: (KeptResults & { version: number }) | null;
  /** Complete submissions. */
  completed: number;
  newestId: number;
  /** Of those, the ones since, up to `MOST_CAME`. */
  came: number;
}

/** No step is longer. */
export const MOST_CAME = 1_000;

export async function findResultsMoment(db: Db, formId: number): Promise<ResultsMoment> {
  const { rows } = await sql<{
    completed: number;
    newest_id: number;
    came: number;
    kept: (KeptResults & { version: number }) | null;
  }>`
    select completed_count as completed, coalesce(newest.id, 0) as newest_id,
      case when last_id is null then 0 else (
        select count(*)::int from (
          select from submissions
          where form_id = ${formId} and id > last_id and status = 'completed' order by id limit ${MOST_CAME}
        ) since
      ) end as came,
      case when version is not null then json_build_object('version', version, 'step', step,
        'submissions', submissions, 'lastId', last_id, 'questions', questions) end as kept
    from form_counters left join form_results using (form_id)
      left join lateral (
        select id from submissions where form_id = ${formId} order by form_id desc, id desc limit 1
      ) newest on true
    where form_id = ${formId}`.execute(db);
  const [row] = rows;
  return row
    ? { kept: row.kept, completed: row.completed, newestId: Number(row.newest_id), came: row.came }
    : { kept: null, completed: 0, newestId: 0, came: 0 };
}

/**
 * Puts new results in the place of those they were compared with. Where another process has done so meanwhile its own stay:
 * two that are less than a step apart would tell whose answer it was.
 * @param former the version they were compared with; null for none
 */
export async function keepResults(
  db: Db,
  formId: number,
  { step, submissions, lastId, questions }: KeptResults,
  former: number | null,
): Promise<void> {
  const values = sql`${step}, ${submissions}, ${lastId}, ${JSON.stringify(questions)}::jsonb`;
  await sql`
    insert into form_results (form_id, step, submissions, last_id, questions) values (${formId}, ${values})
    on conflict (form_id) do update
    set version = form_results.version + 1, step = excluded.step, submissions = excluded.submissions,
      last_id = excluded.last_id, questions = excluded.questions
    where form_results.version = ${former}`.execute(db);
}

/** Of what too few are left. What they are compared with next stays, so that this tells nothing of who comes and goes either. */
export async function blankResults(
  db: Db,
  formId: number,
  { version, questions }: KeptResults & { version: number },
): Promise<void> {
  if (Object.keys(questions).length === 0) return;
  await db
    .updateTable('form_results')
    .set({ questions: '{}', version: version + 1 })
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .execute();
}
