-- Statistics of rankings. Of each option and day: in how many answers it was ranked, the sum of its places, and how often it
-- was first (kinds `ranked`, `places`, `first` in form_answers). They are as many as a form has options, so none is counted
-- together with others.

create or replace function answer_kinds(properties jsonb, removed_properties jsonb) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(block ->> 'id', case replace(block ->> 'type', '-', '_')
    when 'select' then 'choice' when 'multi_select' then 'choice' when 'checkbox' then 'checkbox'
    when 'number' then 'number' when 'rating' then 'number' when 'scale' then 'number' when 'slider' then 'number'
    when 'date' then 'date' when 'matrix' then 'matrix' when 'ranking' then 'ranking' when 'files' then 'files'
    else 'text' end), '{}')
  from jsonb_array_elements(removed_properties || properties) as block
  where block ->> 'id' is not null
    and block ->> 'type' !~ '^nf[-_](text|page[-_]break|divider|image|video|audio|code)$'
$$;

-- As in 0009_answer_counts.sql, and of rankings.
create or replace function counts_of_answers(data jsonb, kinds jsonb)
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

-- Until now any type could be named so, and any answer given: such forms are counted anew.
update counted_answers set last_id = -1, count = 0
from forms where id = form_id and (removed_properties || properties) @? '$[*] ? (@.type == "ranking")';
