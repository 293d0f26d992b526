-- A submission that is deleted or changed before the first count of its form takes the same lock as the count: the row
-- in counted_submissions is made for it, or both could run at once and the count keep what is gone.

create function lock_counted_submissions(of_form bigint) returns bigint language plpgsql as $$
declare
  counted bigint;
begin
  select last_id into counted from counted_submissions where form_id = of_form for no key update;
  if not found then
    insert into counted_submissions (form_id) select id from forms where id = of_form on conflict do nothing;
    select last_id into counted from counted_submissions where form_id = of_form for no key update;
  end if;
  return counted;
end
$$;

create or replace function recount_changed_submissions() returns trigger language plpgsql as $$
declare
  of_form bigint;
  counted bigint;
begin
  if tg_op = 'DELETE' then
    for of_form in select distinct form_id from gone order by 1 loop
      counted := lock_counted_submissions(of_form);
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
      counted := lock_counted_submissions(of_form);
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
