-- Names that a form had in its link before, while it could be opened: it is found by them still, as links that were given out should go on working.
-- They stay with the workspace as long as the form is there, since links may carry what belongs to it, such as personal codes.
create table former_slugs (
  slug text primary key,
  form_id bigint not null references forms (id) on delete cascade,
  since timestamptz not null default now()
);
create index former_slugs_form_id_idx on former_slugs (form_id);

-- Of each form the last 50. Whoever takes a name gets it, unless it is a former one of another workspace.
create function keep_former_slug() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.slug <> new.slug and (
    old.visibility <> 'draft' or exists (select from form_views where form_id = old.id)
    or exists (select from recipients where form_id = old.id)
  ) then
    insert into former_slugs (slug, form_id) values (old.slug, new.id)
      on conflict (slug) do update set form_id = excluded.form_id, since = now();
    delete from former_slugs where form_id = new.id and slug not in (
      select slug from former_slugs where form_id = new.id order by since desc, slug limit 50);
  end if;
  if exists (
    select from former_slugs join forms on forms.id = former_slugs.form_id
    where former_slugs.slug = new.slug and forms.workspace_id <> new.workspace_id
  ) then
    raise unique_violation using constraint = 'forms_slug_key', message = 'the slug is a former one of another workspace';
  end if;
  -- That of another form of the workspace waits, and leads there again when this form is gone.
  delete from former_slugs where slug = new.slug and form_id = new.id;
  return null;
end
$$;

create trigger forms_keep_former_slug_on_insert after insert on forms for each row execute function keep_former_slug();
create trigger forms_keep_former_slug_on_update after update of slug on forms for each row
  when (old.slug is distinct from new.slug) execute function keep_former_slug();
