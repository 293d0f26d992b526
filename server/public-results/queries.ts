import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import type { QuestionFigure } from './figures.ts';

/** Stored results. */
export interface KeptResults {
  step: number;
  submissions: number;
  /** The newest submission of the form at that time. */
  lastId: number;
  /** By field id. */
  questions: Record<string, QuestionFigure>;
}

/** The state of a form compared with its stored results. */
export interface ResultsMoment {
  /** Null without stored results; `version` identifies their state. */
  kept: (KeptResults & { version: number }) | null;
  /** Complete submissions. */
  completed: number;
  newestId: number;
  /** Complete submissions since the stored results, up to `MOST_MOVED`. */
  came: number;
  /** Submissions in the stored results that were deleted or changed since, up to `MOST_MOVED`. */
  changed: number[];
}

/** The longest step. */
const MOST_MOVED = 1_000;
/** Submissions read to count the new answers to one question. */
const MOST_READ = 2_000;

export async function findResultsMoment(db: Db, formId: number): Promise<ResultsMoment> {
  const { rows } = await sql<Omit<ResultsMoment, 'newestId'> & { newest_id: number }>`
    select completed_count as completed, coalesce(newest.id, 0) as newest_id,
      case when last_id is null then 0 else (
        select count(*)::int from (
          select from submissions
          where form_id = ${formId} and id > last_id and status = 'completed' order by id limit ${MOST_MOVED}
        ) since
      ) end as came,
      to_json(coalesce(changed, '{}')) as changed,
      case when version is not null then json_build_object('version', version, 'step', step,
        'submissions', submissions, 'lastId', last_id, 'questions', questions) end as kept
    from form_counters left join form_results using (form_id)
      left join lateral (
        select id from submissions where form_id = ${formId} order by form_id desc, id desc limit 1
      ) newest on true
    where form_id = ${formId}`.execute(db);
  const [row] = rows;
  if (!row) return { kept: null, completed: 0, newestId: 0, came: 0, changed: [] };
  const { newest_id: newestId, ...moment } = row;
  return { ...moment, newestId: Number(newestId) };
}

/** The number of complete submissions after `since` that answer each question, up to `most`, and limited to a quick read. */
export async function countAnsweredSince(
  db: Db,
  formId: number,
  questions: readonly { field: string; since: number }[],
  most: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ field: string; count: number }>`
    select field, count(*)::int as count
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as question (field text, since bigint)
      cross join lateral (
        select from (
          select data -> field as answer from submissions
          where form_id = ${formId} and id > since and status = 'completed' order by id limit ${MOST_READ}
        ) newer
        where answer is not null and answer not in ('null', '""', '[]', '{}') limit ${most}
      ) answered
    group by field`.execute(db);
  return new Map(rows.map(({ field, count }) => [field, count]));
}

/**
 * Replaces the results that the new ones were compared with. If another process has replaced them meanwhile, its results
 * stay: two results less than a step apart would reveal somebody's answer.
 * @param before the moment that the new results describe
 */
export async function keepResults(
  db: Db,
  formId: number,
  { step, submissions, lastId, questions }: KeptResults,
  { kept, changed }: Pick<ResultsMoment, 'kept' | 'changed'>,
): Promise<void> {
  const values = sql`${step}, ${submissions}, ${lastId}, ${JSON.stringify(questions)}::jsonb`;
  await sql`
    insert into form_results (form_id, step, submissions, last_id, questions) values (${formId}, ${values})
    on conflict (form_id) do update
    set version = form_results.version + 1, step = excluded.step, submissions = excluded.submissions,
      last_id = excluded.last_id, questions = excluded.questions,
      changed = array(select unnest(form_results.changed) except select unnest(${changed}::bigint[]))
    where form_results.version = ${kept?.version ?? null}`.execute(db);
}

/** Hides results of which too few submissions are left. The basis for comparing the next results stays. */
export async function blankResults(
  db: Db,
  formId: number,
  { version, questions }: KeptResults & { version: number },
): Promise<void> {
  const figures = Object.entries(questions);
  if (figures.every(([, { answers }]) => answers === null)) return;
  const blank = Object.fromEntries(figures.map(([field, figure]) => [field, { ...figure, answers: null }]));
  await db
    .updateTable('form_results')
    .set({ questions: JSON.stringify(blank), version: version + 1 })
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .execute();
}
