-- Statistics of answers: how often each value was given, per day. Counted in the background, as form_days is, and kept
-- right by a trigger. Values of free texts are not in it.

-- Numbers of the answers to a field in the submissions of one day (UTC, of their creation) and status. No foreign key:
-- rows of a deleted form go in steps, as its submissions do.
create table form_answers (
  form_id bigint not null,
  day date not null,
  status text not null,
  -- id of the field; '' is the submission itself
  field text not null,
  -- answered: submissions with an answer. choice (place: option, true, [row, column], YYYY-MM), number (place: to four
  -- digits): how often the value was given. sum: of numbers. files: how many.
  -- seen: how many places have got a row so far; it never falls.
  kind text not null,
  place text not null,
  count numeric not null,
  primary key (form_id, day, status, field, kind, place)
)
with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000);

-- How far the submissions of a form stand in form_answers: those up to this id, so many of them.
create table counted_answers (
  form_id bigint primary key references forms (id) on delete cascade,
  -- -1: what is in form_answers is void and has to be counted anew
  last_id bigint not null default 0,
  count bigint not null default 0
)
with (fillfactor = 50);

-- How the answers to each field of a form are counted, by id, the fields that were removed included.
create function answer_kinds(properties jsonb, removed_properties jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(block ->> 'id', case replace(block ->> 'type', '-', '_')
    when 'select' then 'choice' when 'multi_select' then 'choice' when 'checkbox' then 'checkbox'
    when 'number' then 'number' when 'rating' then 'number' when 'scale' then 'number' when 'slider' then 'number'
    when 'date' then 'date' when 'matrix' then 'matrix' when 'files' then 'files' else 'text' end), '{}')
  from jsonb_array_elements(removed_properties || properties) as block
  where block ->> 'id' is not null
    and block ->> 'type' !~ '^nf[-_](text|page[-_]break|divider|image|video|audio|code)$'
$$;

-- The place of a number, to four digits; and the rougher one, to two, where there are too many.
create function number_place(number numeric) returns text language sql immutable as $$
  select trim_scale(to_char(number, '9.999EEEE')::numeric)::text
$$;
create function rough_number_place(place text) returns text language sql immutable as $$
  select trim_scale(to_char(place::numeric, '9.9EEEE')::numeric)::text
$$;

-- What the answers of one submission count for; a choice without a place counts among the rest. `offset 0` and
-- conditions on the whole of each part keep it quick: kind and shape are looked up once, and what they rule out never runs.
create function counts_of_answers(data jsonb, kinds jsonb)
returns table (field text, kind text, place text, count numeric) language sql immutable as $$
  select '', 'answered', '', 1::numeric
  union all
  select answer.key, counted.kind, counted.place, counted.count
  from (select key, value, kinds ->> key as kind, jsonb_typeof(value) as shape from jsonb_each(data) offset 0) as answer,
    lateral (
      select 'answered', '', 1::numeric
      where answer.kind is not null and answer.value not in ('null', '""', '[]', '{}')
      union all
      select 'choice', left(answer.value #>> '{}', 200), 1
      where answer.kind = 'choice' and shape = 'string' or answer.kind = 'checkbox' and shape = 'boolean'
      union all
      select 'choice', left(item, 200), 1
      from jsonb_array_elements_text(case shape when 'array' then answer.value else '[]' end) as item
      where answer.kind = 'choice' and shape = 'array'
      union all
      select 'choice', jsonb_build_array(left(cell.key, 200), left(cell.value, 200))::text, 1
      from jsonb_each_text(case shape when 'object' then answer.value else '{}' end) as cell
      where answer.kind = 'matrix' and shape = 'object'
      union all
      -- of two days the first
      select 'choice', coalesce(substring(
        case shape when 'array' then answer.value ->> 0 else answer.value #>> '{}' end from '^\d{4}-\d{2}'), ''), 1
      where answer.kind = 'date' and shape in ('string', 'array')
      union all
      select 'number', case shape when 'number' then number_place(answer.value::numeric) end, 1
      where answer.kind = 'number' and shape = 'number'
      union all
      select 'sum', '', case shape when 'number' then answer.value::numeric end
      where answer.kind = 'number' and shape = 'number'
      union all
      select 'files', '', case shape when 'array' then jsonb_array_length(answer.value) else 1 end
      where answer.kind = 'files' and shape in ('string', 'array')
    ) as counted (kind, place, count)
$$;

-- Adds to the numbers of a form; what falls to 0 is removed, so that a deleted submission leaves no word behind. Of each
-- field, day and status 250 different values get rows; others are counted together, numbers with those of their first
-- two digits, everything else under no name. As `seen` never falls, a value that was once counted with others never gets
-- a row later on that day: so a number that is taken back is always taken from where it was put.
create function add_to_form_answers(
  of_form bigint, days date[], statuses text[], fields text[], kinds text[], places text[], counts numeric[])
returns void language plpgsql as $$
begin
  with changes as materialized (
    select change.day, change.status, change.field, change.kind, change.place, sum(change.count) as count
    from unnest(days, statuses, fields, kinds, places, counts) as change (day, status, field, kind, place, count)
    group by 1, 2, 3, 4, 5
    having sum(change.count) <> 0
  ),
  strangers as materialized (
    select changes.*, coalesce(seen.count, 0)
      + row_number() over (partition by day, status, field order by changes.count <= 0, changes.count desc, place) as turn
    from changes left join lateral (
      select count from form_answers
      where form_id = of_form and (day, status, field, kind, place) = (changes.day, changes.status, changes.field, 'seen', '')
    ) seen on true
    where kind in ('choice', 'number') and not exists (
      select from form_answers
      where form_id = of_form
        and (day, status, field, kind, place) = (changes.day, changes.status, changes.field, changes.kind, changes.place))
  ),
  welcome as (
    select * from strangers where count > 0 and turn <= 250
  ),
  placed as (
    select changes.day, changes.status, changes.field, changes.kind, changes.count,
      case when strangers.day is null or (strangers.count > 0 and turn <= 250) then changes.place
        when changes.kind = 'number' then rough_number_place(changes.place) else '' end as place
    from changes left join strangers using (day, status, field, kind, place)
    union all
    select day, status, field, 'seen', count(*), '' from welcome group by day, status, field
  )
  insert into form_answers (form_id, day, status, field, kind, place, count)
  select of_form, day, status, field, kind, place, sum(count) from placed group by day, status, field, kind, place
  on conflict (form_id, day, status, field, kind, place) do update set count = form_answers.count + excluded.count;
  if 0 > any (counts) then
    delete from form_answers
    using (
      select distinct change.day, change.status, change.field, change.kind, named.place
      from unnest(days, statuses, fields, kinds, places) as change (day, status, field, kind, place),
        lateral (values (change.place),
          (case when change.kind = 'number' then rough_number_place(change.place) else '' end)) named (place)
    ) changed
    where form_answers.form_id = of_form and form_answers.day = changed.day and form_answers.status = changed.status
      and form_answers.field = changed.field and form_answers.kind = changed.kind
      and form_answers.place = changed.place and form_answers.count = 0;
  end if;
end
$$;

-- Locks how far a form is counted, so that nothing is counted while a submission changes, and tells it.
create function lock_counted_answers(of_form bigint) returns bigint language plpgsql as $$
declare
  counted bigint;
begin
  select last_id into counted from counted_answers where form_id = of_form for no key update;
  if not found then
    insert into counted_answers (form_id) select id from forms where id = of_form on conflict do nothing;
    select last_id into counted from counted_answers where form_id = of_form for no key update;
  end if;
  return counted;
end
$$;

-- Keeps form_answers right when a counted submission changes or goes, whoever does it and for whatever reason.
create function recount_changed_answers() returns trigger language plpgsql as $$
declare
  of_form bigint;
  counted bigint;
  kinds jsonb;
begin
  if tg_op = 'DELETE' then
    for of_form in select distinct form_id from gone order by 1 loop
      counted := lock_counted_answers(of_form);
      continue when not exists (select from gone where form_id = of_form and id <= counted);
      -- read under the lock: a change of what is counted takes it, too
      select answer_kinds(properties, removed_properties) into kinds from forms where id = of_form;
      perform add_to_form_answers(of_form, array_agg((created_at at time zone 'UTC')::date), array_agg(status),
        array_agg(change.field), array_agg(change.kind), array_agg(change.place), array_agg(-change.count))
      from gone, counts_of_answers(gone.data, kinds) change
      where form_id = of_form and id <= counted;
      update counted_answers
      set count = count - (select count(*) from gone where form_id = of_form and id <= counted)
      where form_id = of_form;
    end loop;
  else
    for of_form in
      select distinct form_id from gone join come using (form_id, id)
      where (gone.status, gone.data, gone.created_at) is distinct from (come.status, come.data, come.created_at)
      order by 1
    loop
      counted := lock_counted_answers(of_form);
      continue when not exists (select from gone where form_id = of_form and id <= counted);
      select answer_kinds(properties, removed_properties) into kinds from forms where id = of_form;
      perform add_to_form_answers(of_form, array_agg(day), array_agg(status),
        array_agg(field), array_agg(kind), array_agg(place), array_agg(count))
      from (
        select (created_at at time zone 'UTC')::date as day, status, field, kind, place, -count as count
        from gone, counts_of_answers(gone.data, kinds) where form_id = of_form and id <= counted
        union all
        select (created_at at time zone 'UTC')::date, status, field, kind, place, count
        from come, counts_of_answers(come.data, kinds) where form_id = of_form and id <= counted
      ) change;
    end loop;
  end if;
  return null;
end
$$;
create trigger submission_answers_deleted after delete on submissions referencing old table as gone
  for each statement execute function recount_changed_answers();
create trigger submission_answers_changed after update on submissions referencing old table as gone new table as come
  for each statement execute function recount_changed_answers();

-- A field that is counted in another way from now on: what was counted is void. A new field changes nothing, as no
-- submission that is stored has an answer to it.
create function void_counted_answers() returns trigger language plpgsql as $$
declare
  kinds jsonb := answer_kinds(new.properties, new.removed_properties);
begin
  if exists (
    select from jsonb_each(answer_kinds(old.properties, old.removed_properties)) former
    where kinds -> former.key is distinct from former.value
  ) then
    update counted_answers set last_id = -1, count = 0 where form_id = new.id;
  end if;
  return null;
end
$$;
create trigger forms_changed after update of properties, removed_properties on forms for each row
  when ((old.properties, old.removed_properties) is distinct from (new.properties, new.removed_properties))
  execute function void_counted_answers();
