-- Of results that a form shows everybody: whose submissions have gone since, or say something else. With those who came that makes the
-- number of people by whom the next results will differ from these, each counted once.
truncate form_results;
alter table form_results add column changed bigint[] not null default '{}';

create function note_changed_results() returns trigger language plpgsql as $$
declare
  of_form bigint;
begin
  if not exists (select from form_results where form_id in (select form_id from gone)) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    for of_form in select distinct form_id from gone where status = 'completed' order by 1 loop
      perform add_changed_results(of_form, array(select id from gone where form_id = of_form and status = 'completed'));
    end loop;
  else
    for of_form in
      select distinct form_id from gone join come using (form_id, id)
      where 'completed' in (gone.status, come.status) and (gone.status, gone.data) is distinct from (come.status, come.data)
      order by 1
    loop
      perform add_changed_results(of_form, array(
        select id from gone join come using (form_id, id)
        where form_id = of_form and 'completed' in (gone.status, come.status)
          and (gone.status, gone.data) is distinct from (come.status, come.data)));
    end loop;
  end if;
  return null;
end
$$;

-- Up to 1,000, the longest step; what is newer than the results is not in them.
create function add_changed_results(of_form bigint, ids bigint[]) returns void language sql as $$
  update form_results
  set changed = array(
    select id from unnest(changed) as id union select id from unnest(ids) as id where id <= last_id limit 1000)
  where form_id = of_form and cardinality(changed) < 1000
    and exists (select from unnest(ids) as id where id <= last_id and id <> all (changed))
$$;

create trigger submission_results_deleted after delete on submissions referencing old table as gone
  for each statement execute function note_changed_results();
create trigger submission_results_changed after update on submissions referencing old table as gone new table as come
  for each statement execute function note_changed_results();
