-- Changes of a form that are not published yet, one set of them for each form.
create table unpublished_changes (
  form_id bigint primary key references forms (id) on delete cascade,
  -- members of a form's request body as somebody left them, half finished or not; json keeps their order
  definition json not null,
  -- of a new password, which the definition then names as ********
  password_hash text,
  -- forms.version when they were begun
  base_version integer not null,
  -- counts saves, so that two people notice each other
  revision integer not null default 1,
  saved_by bigint references users (id) on delete set null,
  begun_at timestamptz not null default now(),
  saved_at timestamptz not null default now()
);
create index unpublished_changes_saved_by_idx on unpublished_changes (saved_by);

-- What a preview link shows, for an hour.
create table form_previews (
  -- SHA-256 of the random part of the link
  token_hash bytea primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  -- null for a form that does not exist yet
  form_id bigint references forms (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  -- title, closes_at, properties, presentation: checked and complete
  definition json not null,
  -- whether code in it is an admin's
  shows_code boolean not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index form_previews_user_id_idx on form_previews (user_id, created_at);
create index form_previews_workspace_id_idx on form_previews (workspace_id);
create index form_previews_form_id_idx on form_previews (form_id);
create index form_previews_expires_at_idx on form_previews (expires_at);

-- Lists in the order of time. Where the table is very large, make these beforehand under their names with
-- "create index concurrently": then nothing waits here.
set local maintenance_work_mem = '256MB';
create index if not exists submissions_created_at_idx on submissions (form_id, created_at, id);
-- What is only added is not in it, and so costs nothing more to add.
create index if not exists submissions_changed_idx on submissions (form_id, updated_at, id)
  where updated_at > created_at;
