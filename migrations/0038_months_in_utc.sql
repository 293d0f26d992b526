-- Statistics of dates count the month of the day in UTC, as lists are filtered by it; until now the month as it was written.

-- Computed from the digits instead of by a cast, which would fail on answers that are no dates. Without an offset, or with `Z`,
-- the written month is the one in UTC.
create function utc_month(answer text) returns text language sql immutable as $$
  select case when answer ~ '^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?[+-](0\d|1[0-4]):[0-5]\d$' then to_char(
      timestamp '0001-01-01' + make_interval(
        years => left(answer, 4)::int - 1, months => substr(answer, 6, 2)::int - 1, days => substr(answer, 9, 2)::int - 1,
        hours => substr(answer, 12, 2)::int, mins => substr(answer, 15, 2)::int
      ) - right(answer, 6)::interval, 'YYYY-MM')
    else substring(answer from '^\d{4}-\d{2}') end
$$;

-- As in 0029_entry_counts.sql, but for dates.
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
      select 'choice', coalesce(utc_month(case shape when 'array' then answer.value ->> 0 else answer.value #>> '{}' end), ''), 1
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

-- Dates are counted anew, also those in repeated questions.
update counted_answers set last_id = -1, count = 0
where exists (
  select from forms
  where id = form_id and jsonb_path_exists(removed_properties || properties, '$[*].** ? (@.type == "date")')
);
