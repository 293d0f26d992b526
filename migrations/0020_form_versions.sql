-- What a form was after each save that changed its questions, texts or look. Of forms that are older than this table, there is
-- nothing before their next change, which keeps what they were before it as well.
create table form_versions (
  form_id bigint not null references forms (id) on delete cascade,
  -- forms.version after that save
  version integer not null,
  -- title, properties, and of forms.presentation what versions are made of
  definition jsonb not null,
  -- names of the members that the save changed
  changed text[] not null default '{}',
  -- the version it brought back
  restored_from integer,
  -- null = the operator, nobody knows, or an account that is gone
  saved_by bigint references users (id) on delete set null,
  saved_at timestamptz not null default now(),
  primary key (form_id, version)
);
create index form_versions_saved_by_idx on form_versions (saved_by);
