-- What the search in a form's submissions looks at first: of some submissions that follow each other, one signature of the
-- pieces of text in their answers. It tells where a text cannot be; where it may be, the answers are read. It is filled in
-- the background and may be emptied at any time: what is in no block is read. Not in backups.

-- No foreign key: rows of a deleted form go in steps, as its submissions do.
create table search_blocks (
  form_id bigint not null,
  -- ids of submissions; above the last block of a form nothing is in a block yet, below it everything is
  first_id bigint not null,
  last_id bigint not null,
  -- bits, see server/submissions/signature.ts; null when a submission changed or went: what is there has to be read again
  signature bytea,
  primary key (form_id, first_id)
);
-- Four rows fill a page, and are not stored anywhere else.
alter table search_blocks alter column signature set storage plain;
create index search_blocks_void_idx on search_blocks (form_id, first_id) where signature is null;

-- Empties the blocks of submissions that change or go, so that nothing is left of what was written. Under the lock that the
-- filling of blocks takes too.
create function void_blocks_of(of_form bigint, ids bigint[]) returns void language plpgsql as $$
begin
  perform lock_counted_answers(of_form);
  update search_blocks set signature = null
  where form_id = of_form and signature is not null and first_id in (
    select block.first_id from unnest(ids) as changed (id), lateral (
      select first_id, last_id from search_blocks where form_id = of_form and first_id <= changed.id
      order by first_id desc limit 1
    ) block
    where block.last_id >= changed.id);
end
$$;

-- Whoever changes or deletes a submission, and for whatever reason.
create function void_search_blocks() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform void_blocks_of(form_id, ids)
    from (select form_id, array_agg(id) as ids from gone group by form_id order by form_id) changed;
  else
    perform void_blocks_of(form_id, ids)
    from (
      select form_id, array_agg(id) as ids from gone join come using (form_id, id)
      where gone.data is distinct from come.data group by form_id order by form_id
    ) changed;
  end if;
  return null;
end
$$;
create trigger submissions_search_deleted after delete on submissions referencing old table as gone
  for each statement execute function void_search_blocks();
create trigger submissions_search_changed after update on submissions referencing old table as gone new table as come
  for each statement execute function void_search_blocks();
