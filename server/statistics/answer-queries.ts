import { sql } from 'kysely';
import type { Property } from '../../fields/property.ts';
import type { Db } from '../db/database.ts';
import { lockLastCounted } from './queries.ts';
import type { DayRange } from './range.ts';

/** Submissions counted in one transaction, so that edits and deletions meanwhile do not wait long. */
const CHUNK = 1_000;
/** Uncounted submissions read while somebody waits. */
const MAX_READ = 2_000;
/** Answers in entries of repeated questions, about, counted in one transaction or read while somebody waits. */
const MAX_IN_ENTRIES = 10_000;
/** Different values listed per field: pairs of row and column for a matrix, months for dates, options for rankings. */
const MAX_NAMED = 100;
const MAX_NAMED_CELLS = 1_000;
/** Approximate bins of a histogram, between numbers that are easy to read. */
const BINS = 20;
/** Narrowest bin: doubles much nearer to 0 have no such fractions. */
const MIN_STEP = sql.raw('1e-300::numeric');

/** The first submissions in `found` that are quickly counted, at least one. */
const FIRST_FOUND = sql`
  select id, day, status, data
  from (
    select found.*, kinds, row_number() over by_id as turn, sum(answers_in_entries(data, kinds)) over by_id as in_entries
    from form, found window by_id as (order by id)
  ) weighed
  where turn = 1 or in_entries <= ${MAX_IN_ENTRIES}`;

/** Forms with uncounted answers. */
export async function findFormsToCount(db: Db): Promise<number[]> {
  const { rows } = await sql<{ form_id: number }>`
    select form_id from form_counters left join counted_answers using (form_id)
    where exists (
      select from submissions
      where submissions.form_id = form_counters.form_id and submissions.id > coalesce(last_id, 0))
      or last_id < 0
    order by form_id`.execute(db);
  return rows.map((row) => row.form_id);
}

/**
 * Adds the answers of a form's next submissions to its counters, each exactly once. It first locks the row in
 * `counted_answers`, which changes of counted answers wait for too (see the triggers in 0009_answer_counts.sql).
 * @returns whether there may be more
 */
export async function countNextAnswers(db: Db, formId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const after = await lockLastCounted(trx, 'counted_answers', formId);
    if (after === null) return false;
    if (after < 0) {
      await trx.deleteFrom('form_answers').where('form_id', '=', formId).execute();
      await trx.updateTable('counted_answers').set({ last_id: 0 }).where('form_id', '=', formId).execute();
      return true;
    }
    const { rows } = await sql<{ last: number | null; count: number; found: number }>`
      with form as materialized (
        select answer_kinds(properties, removed_properties) as kinds from forms where id = ${formId}
      ),
      found as materialized (
        select id, (created_at at time zone 'UTC')::date as day, status, data
        from submissions where form_id = ${formId} and id > ${after} order by id limit ${CHUNK}
      ),
      next as materialized (${FIRST_FOUND})
      select max(id) as last, count(*) as count, (select count(*) from found) as found, (
        select add_to_form_answers(${formId}, array_agg(day), array_agg(status), array_agg(field), array_agg(kind),
          array_agg(place), array_agg(count))
        from (
          select day, status, field, kind, place, sum(count) as count
          from form, next, counts_of_answers(data, kinds) group by 1, 2, 3, 4, 5
        ) change
      ) from next`.execute(trx);
    const { last = null, count = 0, found = 0 } = rows[0] ?? {};
    if (last === null) return false;
    await trx
      .updateTable('counted_answers')
      .set((eb) => ({ last_id: last, count: eb('count', '+', count) }))
      .where('form_id', '=', formId)
      .execute();
    return count < found || found === CHUNK;
  });
}

export type CountedStatus = 'completed' | 'partial' | 'all';

/** One number of a field; see form_answers in 0009_answer_counts.sql, 0016_ranking_counts.sql and 0029_entry_counts.sql. */
export interface AnswerCount {
  /** Empty: counts submissions. For a repeated question: the id of its field, a space, its own id. */
  field: string;
  /** `bin`: numbers from `place` on; `step`: width of the bins; `uncounted`: submissions in none of the numbers. */
  kind:
    | ('answered' | 'choice' | 'number' | 'sum' | 'files' | 'ranked' | 'places' | 'first')
    | ('low' | 'high' | 'bin' | 'step' | 'uncounted');
  /** Null: everything not listed. */
  place: string | null;
  count: number;
}

/**
 * All counts of the answers of submissions created in the range, with the blocks of the form, in one snapshot: their
 * types decide what is counted. Answers not in the counters yet are counted here, up to a limit. null when the form does
 * not exist.
 * @param mostNamed different values listed; matrices, dates and rankings have their own limit
 */
export async function findAnswerCounts(
  db: Db,
  formId: number,
  { from, to }: DayRange,
  status: CountedStatus,
  mostNamed = MAX_NAMED,
): Promise<{ blocks: Property[]; counts: AnswerCount[] } | null> {
  const statuses = status === 'all' ? ['completed', 'partial'] : [status];
  const isAsked = sql`day between ${from}::date and ${to}::date and status = any (${statuses}::text[])`;
  const { rows } = await sql<{ blocks: Property[]; counts: (AnswerCount & { count: string })[] }>`
    with form as materialized (
      select properties, answer_kinds(properties, removed_properties) as kinds, completed_count + partial_count as stored,
        coalesce(last_id, 0) as last_id, coalesce(counted_answers.count, 0) as counted
      from forms join form_counters on form_counters.form_id = id
        left join counted_answers on counted_answers.form_id = id
      where id = ${formId}
    ),
    found as materialized (
      select id, (created_at at time zone 'UTC')::date as day, status, data
      from submissions where form_id = ${formId} and id > (select greatest(last_id, 0) from form)
      order by id limit ${MAX_READ}
    ),
    newer as materialized (${FIRST_FOUND}),
    counted as (
      select field, kind, place, count from form_answers
      where form_id = ${formId} and ${isAsked} and kind <> 'seen' and (select last_id >= 0 from form)
      union all
      select change.field, change.kind, change.place, change.count
      from form, newer, counts_of_answers(newer.data, kinds) change where ${isAsked}
    ),
    summed_up as materialized (
      select field, kind, place, sum(count) as count from counted group by field, kind, place
    ),
    ranked as (
      select field, kind, place, count, place <> '' or kind not in ('choice', 'number') as is_named,
        row_number() over (partition by field, kind order by place = '', count desc, place) as rank,
        case when kinds #>> string_to_array(field, ' ') in ('matrix', 'date', 'ranking') then ${MAX_NAMED_CELLS} else ${mostNamed} end::int as named
      from summed_up, form
    ),
    number as (
      select field, place::numeric as number, count, min(place::numeric) over of_field as low,
        max(place::numeric) over of_field as high, bool_and(place !~ '[.]') over of_field as is_whole
      from summed_up where kind = 'number'
      window of_field as (partition by field)
    ),
    span as materialized (
      select field, low, high, case when high = low then 1 else greatest(
        (select min(nice * power(10::numeric, floor(log((high - low) / ${BINS})))) filter (
          where nice * power(10::numeric, floor(log((high - low) / ${BINS}))) >= (high - low) / ${BINS})
          from unnest(array[1, 2, 5, 10]) nice),
        case when is_whole then 1 else ${MIN_STEP} end) end as step
      from (select distinct field, low, high, is_whole from number) distinct_numbers
    ),
    figure as (
      select field, kind, case when is_named and rank <= named then place end as place, sum(count)::text as count
      from ranked group by 1, 2, 3
      union all
      select field, 'bin', trim_scale(floor(number / step) * step)::text, sum(count)::text
      from number join span using (field) group by 1, 3
      union all
      select field, kind, '', trim_scale(value)::text
      from span, lateral (values ('low', low), ('high', high), ('step', step)) as bound (kind, value)
      union all
      select '', 'uncounted', '', greatest(0, stored - counted - (select count(*) from newer))::text from form
    )
    select properties as blocks, (select json_agg(figure) from figure) as counts from form`.execute(db);
  const [found] = rows;
  if (!found) return null;
  const counts = found.counts.map(({ count, ...figure }) => ({ ...figure, count: Number(count) }));
  return { blocks: found.blocks, counts };
}
