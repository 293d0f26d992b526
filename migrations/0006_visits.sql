-- Statistics: what is counted of visits and submissions. Never who; no addresses, no ids of visits, no answers.

-- Numbers of a form's day (UTC). No foreign key: rows of a deleted form go in steps, as its submissions do.
create table form_days (
  form_id bigint not null,
  day date not null,
  -- Of visits: view (place: class of device), referrer (host), start, step (index), left (index), field (id).
  -- Of submissions, by the day they were created: completed, partial; of completed ones time (seconds, summed up),
  -- duration (seconds to three digits), utm_source, utm_medium, utm_campaign (value).
  -- seen: how many places of the kind that is named have got a row so far; it never falls.
  kind text not null,
  place text not null,
  count bigint not null,
  primary key (form_id, day, kind, place)
)
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000);

-- Views of all times. A table of its own, because the intake holds the rows of form_counters.
create table form_views (
  form_id bigint primary key references forms (id) on delete cascade,
  views_count bigint not null
)
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 100);
insert into form_views (form_id, views_count)
  select form_id, views_count from form_counters where views_count > 0;
alter table form_counters drop column views_count;

-- How far the submissions of a form stand in form_days: those up to this id. Ids of one form become visible in their
-- order, because they are given out under the lock on form_counters.
create table counted_submissions (
  form_id bigint primary key references forms (id) on delete cascade,
  last_id bigint not null default 0
)
with (fillfactor = 50);

-- The place of a completion time among the durations: whole seconds, from 1,000 on three digits.
create function duration_place(seconds float8) returns text language sql immutable as $$
  select case
    when seconds < 1000 then round(seconds)::bigint::text
    when seconds < 10000 then (round(seconds / 10) * 10)::bigint::text
    when seconds < 100000 then (round(seconds / 100) * 100)::bigint::text
    else round(seconds::numeric, 2 - floor(log(seconds::numeric))::int)::bigint::text end
$$;

create function attribution_place(attribution jsonb, key text) returns text language sql immutable as $$
  select left(btrim(attribution ->> key), 200)
$$;

-- What submissions of a form count for, those with ids above the first and up to the second.
create function counts_of_submissions(of_form bigint, after_id bigint, last_id bigint)
returns table (day date, kind text, place text, count bigint) language sql stable as $$
  with submission as (
    select (created_at at time zone 'UTC')::date as day, status, status = 'completed' as is_completed, completion_time,
      case when status = 'completed' then attribution end as attribution
    from submissions where form_id = of_form and id > after_id and id <= last_id
  ),
  described as (
    select day, status, case when is_completed then round(completion_time) end as seconds,
      case when is_completed then duration_place(completion_time) end as duration,
      attribution_place(attribution, 'utm_source') as source,
      attribution_place(attribution, 'utm_medium') as medium,
      attribution_place(attribution, 'utm_campaign') as campaign
    from submission
  ),
  summed_up as (
    select day, status, seconds_sum, count,
      (array[status, 'duration', 'utm_source', 'utm_medium', 'utm_campaign'])[at] as kind,
      (array['', duration, source, medium, campaign])[at] as place
    from (
      select day, status, duration, source, medium, campaign, sum(seconds)::bigint as seconds_sum, count(*),
        case when grouping(status) = 0 then 1 when grouping(duration) = 0 then 2 when grouping(source) = 0 then 3
          when grouping(medium) = 0 then 4 else 5 end as at
      from described
      group by grouping sets ((day, status), (day, duration), (day, source), (day, medium), (day, campaign))
    ) grouped
  )
  select day, kind, place, count from summed_up where place is not null
  union all
  select day, 'time', '', seconds_sum from summed_up where seconds_sum <> 0 and status = 'completed'
$$;

-- The same of one submission: at most six rows.
create function counts_of_submission(created_at timestamptz, status text, completion_time float8, attribution jsonb)
returns table (day date, kind text, place text, count bigint) language sql immutable as $$
  select (created_at at time zone 'UTC')::date, counted.kind, counted.place, counted.count
  from (values
    (status, '', 1::bigint, true),
    ('time', '', round(completion_time)::bigint, status = 'completed'),
    ('duration', duration_place(completion_time), 1, status = 'completed'),
    ('utm_source', attribution_place(attribution, 'utm_source'), 1, status = 'completed'),
    ('utm_medium', attribution_place(attribution, 'utm_medium'), 1, status = 'completed'),
    ('utm_campaign', attribution_place(attribution, 'utm_campaign'), 1, status = 'completed')
  ) as counted (kind, place, count, is_counted)
  where counted.is_counted and counted.place is not null and counted.count <> 0
$$;

-- Adds to the numbers of a form; what falls to 0 is removed, so that a deleted submission leaves no word behind.
-- Places that anybody can make up get at most 100 rows a day and kind; the rest is counted together, under no name.
-- As `seen` never falls, what was once counted under no name never gets a row later on that day: so a number that is
-- taken back is always taken from where it was put.
create function add_to_form_days(of_form bigint, days date[], kinds text[], places text[], counts bigint[])
returns void language plpgsql as $$
begin
  with changes as (
    select change.day, change.kind, change.place, sum(change.count)::bigint as count
    from unnest(days, kinds, places, counts) as change (day, kind, place, count)
    group by 1, 2, 3
    having sum(change.count) <> 0
  ),
  strangers as (
    select changes.*, coalesce(seen.count, 0) as seen
    from changes
    left join form_days known on known.form_id = of_form and known.day = changes.day
      and known.kind = changes.kind and known.place = changes.place
    left join form_days seen on seen.form_id = of_form and seen.day = changes.day
      and seen.kind = 'seen' and seen.place = changes.kind
    where known.form_id is null and changes.kind in ('referrer', 'utm_source', 'utm_medium', 'utm_campaign')
  ),
  welcome as (
    select * from (
      select *, seen + row_number() over (partition by day, kind order by count desc, place) as turn
      from strangers where count > 0
    ) in_turn
    where turn <= 100
  ),
  nameless as (
    select * from strangers where (day, kind, place) not in (select day, kind, place from welcome)
  )
  insert into form_days (form_id, day, kind, place, count)
  select of_form, day, kind, place, count from changes
    where (day, kind, place) not in (select day, kind, place from nameless)
  union all
  select of_form, day, kind, '', sum(count) from nameless group by day, kind
  union all
  select of_form, day, 'seen', kind, count(*) from welcome group by day, kind
  -- in one order, so that no two of these wait for each other
  order by 2, 3, 4
  on conflict (form_id, day, kind, place) do update set count = form_days.count + excluded.count;
  if 0 > any (counts) then
    delete from form_days
    using (
      select distinct change.day, change.kind, named.place
      from unnest(days, kinds, places) as change (day, kind, place), lateral (values (change.place), ('')) named (place)
    ) changed
    where form_days.form_id = of_form and form_days.day = changed.day and form_days.kind = changed.kind
      and form_days.place = changed.place and form_days.count = 0;
  end if;
end
$$;

-- Keeps form_days right when a counted submission changes or goes, whoever does it and for whatever reason. What is
-- added costs nothing here: it is counted in the background.
create function recount_changed_submissions() returns trigger language plpgsql as $$
declare
  of_form bigint;
  counted bigint;
begin
  if tg_op = 'DELETE' then
    for of_form in select distinct form_id from gone order by 1 loop
      select last_id into counted from counted_submissions where form_id = of_form for no key update;
      perform add_to_form_days(of_form, array_agg(day), array_agg(kind), array_agg(place), array_agg(-count))
      from gone, counts_of_submission(gone.created_at, gone.status, gone.completion_time, gone.attribution)
      where form_id = of_form and id <= counted
      having count(*) > 0;
    end loop;
  else
    for of_form in
      select distinct form_id from gone join come using (form_id, id)
      where 'completed' in (gone.status, come.status)
        and (gone.status, gone.completion_time, gone.attribution, gone.created_at)
          is distinct from (come.status, come.completion_time, come.attribution, come.created_at)
      order by 1
    loop
      select last_id into counted from counted_submissions where form_id = of_form for no key update;
      perform add_to_form_days(of_form, array_agg(day), array_agg(kind), array_agg(place), array_agg(count))
      from (
        select day, kind, place, -count as count
        from gone, counts_of_submission(gone.created_at, gone.status, gone.completion_time, gone.attribution)
        where form_id = of_form and id <= counted
        union all
        select day, kind, place, count
        from come, counts_of_submission(come.created_at, come.status, come.completion_time, come.attribution)
        where form_id = of_form and id <= counted
      ) change
      having count(*) > 0;
    end loop;
  end if;
  return null;
end
$$;
create trigger submissions_deleted after delete on submissions referencing old table as gone
  for each statement execute function recount_changed_submissions();
create trigger submissions_changed after update on submissions referencing old table as gone new table as come
  for each statement execute function recount_changed_submissions();
