-- Options that only so many submissions may choose: a row for each, with how many completed submissions have chosen it. Rows are
-- made when a form is saved; whoever stores a new submission takes places, under the lock of the form. What happens to a
-- submission afterwards is followed by the triggers, whoever does it and for whatever reason.

create table option_places (
  form_id bigint not null references forms (id) on delete cascade,
  -- id of the field
  field text not null,
  -- which option it is, whatever it is called
  option_key text not null,
  option text not null,
  -- by these names it was chosen before
  former_names text[] not null,
  places bigint not null,
  taken bigint not null,
  primary key (form_id, field, option_key)
)
with (fillfactor = 50);

create function recount_option_places() returns trigger language plpgsql as $$
begin
  if not exists (select from gone join option_places using (form_id)) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    update option_places set taken = taken - change.count
    from (
      select form_id, field, option_key, count(*)
      from gone join option_places using (form_id)
      where status = 'completed' and (data -> field) ?| (former_names || option)
      group by form_id, field, option_key
    ) change
    where (option_places.form_id, option_places.field, option_places.option_key)
      = (change.form_id, change.field, change.option_key);
  else
    update option_places set taken = taken + change.count
    from (
      select form_id, field, option_key, sum(step) as count
      from (
        select form_id, status, data, -1 as step from gone union all select form_id, status, data, 1 from come
      ) state
      join option_places using (form_id)
      where status = 'completed' and (data -> field) ?| (former_names || option)
      group by form_id, field, option_key
      having sum(step) <> 0
    ) change
    where (option_places.form_id, option_places.field, option_places.option_key)
      = (change.form_id, change.field, change.option_key);
  end if;
  return null;
end
$$;
create trigger submission_places_deleted after delete on submissions referencing old table as gone
  for each statement execute function recount_option_places();
create trigger submission_places_changed after update on submissions referencing old table as gone new table as come
  for each statement execute function recount_option_places();
