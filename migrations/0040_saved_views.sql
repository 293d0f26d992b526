-- Named ways to look at the submissions of a form, for everybody who may read it.
create table saved_views (
  id bigint generated always as identity primary key,
  form_id bigint not null references forms (id) on delete cascade,
  name text not null,
  -- what narrows and sorts the list, and the columns; see server/saved-views/schemas.ts
  definition jsonb not null,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Two views of a form that are told apart by letter case only would be taken for one another.
create unique index saved_views_name_idx on saved_views (form_id, lower(name));
