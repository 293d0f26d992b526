-- Links under which the submissions of a form can be read as CSV, by spreadsheets that ask again and again.
create table live_tables (
  id bigint generated always as identity primary key,
  form_id bigint not null references forms (id) on delete cascade,
  name text not null,
  -- SHA-256 of what is secret in the link
  token_hash bytea not null unique,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null default now(),
  -- exact to a minute; null while nobody has read it
  last_read_at timestamptz
);
create index live_tables_form_idx on live_tables (form_id, id);
