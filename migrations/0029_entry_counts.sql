-- Statistics of repeated questions: how many entries answers have (kinds `number`, `sum` of the field), and what the entries
-- say, each counting for itself (field: id of the field, a space, id of the question). And statistics of scales whose steps
-- need more than four digits to be told apart.

-- How answers of one type are counted.
create function answer_kind(block jsonb) returns text language sql immutable as $$
  select case replace(block ->> 'type', '-', '_')
    when 'select' then 'choice' when 'multi_select' then 'choice' when 'checkbox' then 'checkbox'
    when 'number' then 'number' when 'rating' then 'number' when 'slider' then 'number'
    -- four digits tell whole numbers of three from one another
    when 'scale' then case when concat_ws(' ', block ->> 'scale_min_value', block ->> 'scale_max_value',
      block ->> 'scale_step_value') ~ '^(-?\d{1,3}( |$))*$' then 'number' else 'score' end
    when 'date' then 'date' when 'matrix' then 'matrix' when 'ranking' then 'ranking' when 'files' then 'files'
    else 'text' end
$$;

-- As before; of repeated questions an object with the kind of each, so that other questions are a change of what is counted.
create or replace function answer_kinds(properties jsonb, removed_properties jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(block ->> 'id', case when block ->> 'type' <> 'repeat' then to_jsonb(answer_kind(block))
    else (
      select coalesce(jsonb_object_agg(question ->> 'id', answer_kind(question)), '{}')
      from jsonb_array_elements(case jsonb_typeof(block -> 'questions') when 'array' then block -> 'questions' else '[]' end)
        as question
      where question ->> 'id' is not null
    ) end), '{}')
  from jsonb_array_elements(removed_properties || properties) as block
  where block ->> 'id' is not null
    and block ->> 'type' !~ '^nf[-_](text|page[-_]break|divider|image|video|audio|code)$'
$$;

-- The place of a score: to twelve digits, as pages know it.
create function score_place(number numeric) returns text language sql immutable as $$
  select trim_scale(to_char(number, '9.99999999999EEEE')::numeric)::text
$$;

-- As in 0016_ranking_counts.sql, and of entries and scores. Repeated questions are looked for in `kinds`, which costs forms
-- without them nothing for each answer.
create or replace function counts_of_answers(data jsonb, kinds jsonb)
returns table (field text, kind text, place text, count numeric) language sql immutable as $$
  select '', 'answered', '', 1::numeric
  union all
  select answer.field, counted.kind, counted.place, counted.count
  from (
      select key as field, value, case jsonb_typeof(kinds -> key) when 'object' then 'repeat' else kinds ->> key end as kind,
        jsonb_typeof(value) as shape
      from jsonb_each(data)
      union all
      select repeated.key || ' ' || question.key, question.value, repeated.value ->> question.key, jsonb_typeof(question.value)
      from jsonb_each(kinds) as repeated,
        jsonb_array_elements(case jsonb_typeof(data -> repeated.key) when 'array' then data -> repeated.key else '[]' end)
          as entry,
        jsonb_each(case jsonb_typeof(entry) when 'object' then entry else '{}' end) as question
      where jsonb_typeof(repeated.value) = 'object'
      offset 0
    ) as answer,
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
      select measure.kind, left(item, 200), measure.count
      from jsonb_array_elements_text(case shape when 'array' then answer.value else '[]' end)
        with ordinality as ranked (item, place),
        lateral (values ('ranked', 1), ('places', ranked.place), ('first', (ranked.place = 1)::int)) as measure (kind, count)
      where answer.kind = 'ranking' and shape = 'array' and measure.count > 0
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
      select 'number', case when shape <> 'number' then null when answer.kind = 'score' then score_place(answer.value::numeric)
        else number_place(answer.value::numeric) end, 1
      where answer.kind in ('number', 'score') and shape = 'number'
      union all
      select 'sum', '', case shape when 'number' then answer.value::numeric end
      where answer.kind in ('number', 'score') and shape = 'number'
      union all
      select measure.kind, measure.place, measure.count
      from jsonb_array_length(case shape when 'array' then answer.value else '[]' end) as entries,
        lateral (values ('number', entries::text, 1), ('sum', '', entries)) as measure (kind, place, count)
      where answer.kind = 'repeat' and shape = 'array' and entries > 0
      union all
      select 'files', '', case shape when 'array' then jsonb_array_length(answer.value) else 1 end
      where answer.kind = 'files' and shape in ('string', 'array')
    ) as counted (kind, place, count)
$$;

-- How many answers stand in the entries of one submission, about: every question of every entry is taken for answered.
create function answers_in_entries(data jsonb, kinds jsonb) returns bigint language sql immutable as $$
  select case when kinds @? '$.* ? (@.type() == "object")' then (
    select coalesce(sum(
      jsonb_array_length(case jsonb_typeof(data -> repeated.key) when 'array' then data -> repeated.key else '[]' end)
      * (select count(*) from jsonb_object_keys(case jsonb_typeof(repeated.value) when 'object' then repeated.value else '{}' end))
    ), 0)
    from jsonb_each(kinds) as repeated
  ) else 0 end
$$;

-- As in 0009_answer_counts.sql, but summed up first, as entries say much the same; and where very many of them change
-- together, all of the form is counted anew instead, as whoever changes them would wait too long.
create or replace function recount_changed_answers() returns trigger language plpgsql as $$
declare
  max_in_entries constant int := 100000;
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
      if (select sum(answers_in_entries(data, kinds)) > max_in_entries from gone where form_id = of_form and id <= counted)
      then
        update counted_answers set last_id = -1, count = 0 where form_id = of_form;
        continue;
      end if;
      perform add_to_form_answers(of_form, array_agg(day), array_agg(status), array_agg(field), array_agg(kind),
        array_agg(place), array_agg(count))
      from (
        select (created_at at time zone 'UTC')::date as day, status, field, kind, place, -sum(count) as count
        from gone, counts_of_answers(gone.data, kinds) where form_id = of_form and id <= counted
        group by 1, 2, 3, 4, 5
      ) change;
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
      if (
        select sum(answers_in_entries(data, kinds)) > max_in_entries
        from (select form_id, id, data from gone union all select form_id, id, data from come) change
        where form_id = of_form and id <= counted
      ) then
        update counted_answers set last_id = -1, count = 0 where form_id = of_form;
        continue;
      end if;
      perform add_to_form_answers(of_form, array_agg(day), array_agg(status),
        array_agg(field), array_agg(kind), array_agg(place), array_agg(count))
      from (
        select day, status, field, kind, place, sum(count) as count
        from (
          select (created_at at time zone 'UTC')::date as day, status, field, kind, place, -count as count
          from gone, counts_of_answers(gone.data, kinds) where form_id = of_form and id <= counted
          union all
          select (created_at at time zone 'UTC')::date, status, field, kind, place, count
          from come, counts_of_answers(come.data, kinds) where form_id = of_form and id <= counted
        ) both_sides
        group by 1, 2, 3, 4, 5
      ) change;
    end loop;
  end if;
  return null;
end
$$;

-- Forms whose answers count for something else from now on are counted anew.
update counted_answers set last_id = -1, count = 0
from forms, jsonb_each(answer_kinds(properties, removed_properties)) as field
where forms.id = form_id and (jsonb_typeof(field.value) = 'object' or field.value = '"score"');
