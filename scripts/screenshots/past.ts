import type { Installation } from './installation.ts';
import { randomFrom } from './visits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Relative number of visits by day of the week, Sunday first. */
const WEEK = [1.5, 0.3, 0.8, 0.9, 1, 1.1, 1.6];

/** Moments between two times in order, within opening hours; more at weekends, and more towards the end. */
function someMoments(count: number, from: Date, to: Date): Date[] {
  const random = randomFrom(7);
  const moments: Date[] = [];
  while (moments.length < count) {
    const share = random() ** 0.8;
    const moment = new Date(from.getTime() + share * (to.getTime() - from.getTime()));
    const hour = moment.getUTCHours();
    const isOpen = hour >= 7 && hour < 21;
    if (random() < (WEEK[moment.getUTCDay()] ?? 1) / 1.6 && (isOpen || random() < 0.08)) moments.push(moment);
  }
  return moments.sort((a, b) => a.getTime() - b.getTime());
}

/** Spreads a form's data over the days before `until`: submissions first, then visits by day in proportion. */
export async function letTimePass(
  { sql }: Installation,
  formId: number,
  { days, until }: { days: number; until: Date },
): Promise<void> {
  const rows = await sql('select id from submissions where form_id = $1 order by id', [formId]);
  const moments = someMoments(rows.length, new Date(until.getTime() - days * DAY_MS), until);
  const ids = rows.map(({ id }) => id);
  await sql(MOVE_SUBMISSIONS, [formId, ids, moments]);
  await sql(MOVE_FORM, [formId, moments[0], moments.at(Math.floor(moments.length / 2))]);
  await spreadVisits({ sql }, formId);
}

/** Moves the latest submissions and their deliveries to these moments, and visits with them. */
export async function moveLast({ sql }: Installation, formId: number, moments: Date[]): Promise<void> {
  const rows = await sql('select id from submissions where form_id = $1 order by id desc limit $2', [
    formId,
    moments.length,
  ]);
  const ids = rows.map(({ id }) => id).reverse();
  await sql(MOVE_SUBMISSIONS, [formId, ids, moments]);
  await sql(MOVE_ATTEMPTS, [formId]);
  await sql(MOVE_DELIVERIES, [formId]);
  await spreadVisits({ sql }, formId);
}

/** Gives each day as large a part of all visits as it has of the submissions. */
async function spreadVisits({ sql }: Pick<Installation, 'sql'>, formId: number): Promise<void> {
  const perDay = await sql(COUNT_BY_DAY, [formId]);
  const total = perDay.reduce((sum, { count }) => sum + count, 0);
  const counted = await sql(TAKE_VISITS, [formId]);
  const moved = counted.flatMap(({ kind, place, count }) => {
    let part = 0;
    let given = 0;
    return perDay.map(({ day, count: share }) => {
      part += share;
      const here = Math.round((Number(count) * part) / total) - given;
      given += here;
      return { day, kind, place, count: here };
    });
  });
  await sql(PUT_VISITS, [formId, JSON.stringify(moved)]);
}

const MOVE_SUBMISSIONS = `
  update submissions set created_at = at, updated_at = at
  from unnest($2::bigint[], $3::timestamptz[]) as moved (id, at)
  where form_id = $1 and submissions.id = moved.id`;
const MOVE_FORM = 'update forms set created_at = $2, updated_at = $3 where id = $1';
const MOVE_ATTEMPTS = `
  update delivery_attempts set started_at = started_at - (deliveries.created_at - submissions.created_at)
  from deliveries join submissions on submissions.form_id = deliveries.form_id
    and submissions.id = deliveries.submission_id
  where delivery_attempts.form_id = $1 and deliveries.form_id = $1 and deliveries.id = delivery_id`;
const MOVE_DELIVERIES = `
  update deliveries set created_at = submissions.created_at, finished_at = submissions.created_at
    + (finished_at - deliveries.created_at)
  from submissions
  where deliveries.form_id = $1 and submissions.form_id = $1 and submissions.id = submission_id`;
const COUNT_BY_DAY = `
  select (created_at at time zone 'UTC')::date::text as day, count(*)::int as count
  from submissions where form_id = $1 group by 1 order by 1`;
const TAKE_VISITS = `
  with taken as (
    delete from form_days where form_id = $1 and kind in ('view', 'referrer', 'start', 'step', 'left', 'field')
    returning kind, place, count)
  select kind, place, sum(count) as count from taken group by kind, place`;
const PUT_VISITS = `
  insert into form_days (form_id, day, kind, place, count)
  select $1, day, kind, place, count
  from jsonb_to_recordset($2::jsonb) as moved (day date, kind text, place text, count bigint) where count > 0`;
