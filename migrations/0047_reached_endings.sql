-- Which ending of its form a submission reached: the one that its answers led to when they were last accepted.

-- The id of the ending, as forms.presentation has it; null where the form's own text was reached, or nothing yet. No reference: an
-- ending may be removed, and stays reached.
alter table submissions add column if not exists ending text;
alter table trashed_submissions add column ending text;

-- Where the table is very large, make the column and this index beforehand: docs/database.md says how. Submissions without an ending are
-- not in it, and so cost nothing more to add.
create index if not exists submissions_ending_idx on submissions (form_id, ending, created_at, id) where ending is not null;

create or replace view kept_submissions as
select form_id, id, public_id, status, data, attribution, completion_time, created_at, updated_at, null::timestamptz as trashed_at,
  ending
from submissions
union all
select form_id, id, public_id, status, data, attribution, completion_time, created_at, updated_at, trashed_at, ending
from trashed_submissions
union all
select form_id, id, public_id, 'set_aside', data, attribution, completion_time, created_at, created_at, null, null
from set_aside_submissions;

-- As in 0006_visits.sql, with one more kind: `ending`, whose place is the id of the ending.
create or replace function counts_of_submissions(of_form bigint, after_id bigint, last_id bigint)
returns table (day date, kind text, place text, count bigint) language sql stable as $$
  with submission as (
    select (created_at at time zone 'UTC')::date as day, status, status = 'completed' as is_completed, completion_time,
      case when status = 'completed' then attribution end as attribution, ending
    from submissions where form_id = of_form and id > after_id and id <= last_id
  ),
  described as (
    select day, status, case when is_completed then round(completion_time) end as seconds,
      case when is_completed then duration_place(completion_time) end as duration,
      attribution_place(attribution, 'utm_source') as source,
      attribution_place(attribution, 'utm_medium') as medium,
      attribution_place(attribution, 'utm_campaign') as campaign,
      ending
    from submission
  ),
  summed_up as (
    select day, status, seconds_sum, count,
      (array[status, 'duration', 'utm_source', 'utm_medium', 'utm_campaign', 'ending'])[at] as kind,
      (array['', duration, source, medium, campaign, ending])[at] as place
    from (
      select day, status, duration, source, medium, campaign, ending, sum(seconds)::bigint as seconds_sum, count(*),
        case when grouping(status) = 0 then 1 when grouping(duration) = 0 then 2 when grouping(source) = 0 then 3
          when grouping(medium) = 0 then 4 when grouping(campaign) = 0 then 5 else 6 end as at
      from described
      group by grouping sets ((day, status), (day, duration), (day, source), (day, medium), (day, campaign), (day, ending))
    ) grouped
  )
  select day, kind, place, count from summed_up where place is not null
  union all
  select day, 'time', '', seconds_sum from summed_up where seconds_sum <> 0 and status = 'completed'
$$;

-- The same of one submission: at most seven rows.
drop function counts_of_submission(timestamptz, text, float8, jsonb);
create function counts_of_submission(created_at timestamptz, status text, completion_time float8, attribution jsonb, ending text)
returns table (day date, kind text, place text, count bigint) language sql immutable as $$
  select (created_at at time zone 'UTC')::date, counted.kind, counted.place, counted.count
  from (values
    (status, '', 1::bigint, true),
    ('time', '', round(completion_time)::bigint, status = 'completed'),
    ('duration', duration_place(completion_time), 1, status = 'completed'),
    ('utm_source', attribution_place(attribution, 'utm_source'), 1, status = 'completed'),
    ('utm_medium', attribution_place(attribution, 'utm_medium'), 1, status = 'completed'),
    ('utm_campaign', attribution_place(attribution, 'utm_campaign'), 1, status = 'completed'),
    ('ending', ending, 1, true)
  ) as counted (kind, place, count, is_counted)
  where counted.is_counted and counted.place is not null and counted.count <> 0
$$;

-- As in 0010_counted_under_lock.sql, with the ending.
create or replace function recount_changed_submissions() returns trigger language plpgsql as $$
declare
  of_form bigint;
  counted bigint;
begin
  if tg_op = 'DELETE' then
    for of_form in select distinct form_id from gone order by 1 loop
      counted := lock_counted_submissions(of_form);
      perform add_to_form_days(of_form, array_agg(day), array_agg(kind), array_agg(place), array_agg(-count))
      from gone, counts_of_submission(gone.created_at, gone.status, gone.completion_time, gone.attribution, gone.ending)
      where form_id = of_form and id <= counted
      having count(*) > 0;
    end loop;
  else
    for of_form in
      select distinct form_id from gone join come using (form_id, id)
      where 'completed' in (gone.status, come.status)
        and (gone.status, gone.completion_time, gone.attribution, gone.created_at, gone.ending)
          is distinct from (come.status, come.completion_time, come.attribution, come.created_at, come.ending)
      order by 1
    loop
      counted := lock_counted_submissions(of_form);
      perform add_to_form_days(of_form, array_agg(day), array_agg(kind), array_agg(place), array_agg(count))
      from (
        select day, kind, place, -count as count
        from gone, counts_of_submission(gone.created_at, gone.status, gone.completion_time, gone.attribution, gone.ending)
        where form_id = of_form and id <= counted
        union all
        select day, kind, place, count
        from come, counts_of_submission(come.created_at, come.status, come.completion_time, come.attribution, come.ending)
        where form_id = of_form and id <= counted
      ) change
      having count(*) > 0;
    end loop;
  end if;
  return null;
end
$$;
