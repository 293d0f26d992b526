-- A list may hold null where its field once took any JSON. It is no choice and has no place; until now it stopped the counting of its
-- form, so nothing that was counted changes.
-- As in 0038_months_in_utc.sql, but for the two conditions on `item`.
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
      where answer.kind = 'choice' and shape = 'array' and item is not null
      union all
      select measure.kind, left(item, 200), measure.count
      from jsonb_array_elements_text(case shape when 'array' then answer.value else '[]' end)
        with ordinality as ranked (item, place),
        lateral (values ('ranked', 1), ('places', ranked.place), ('first', (ranked.place = 1)::int)) as measure (kind, count)
      where answer.kind = 'ranking' and shape = 'array' and measure.count > 0 and item is not null
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
