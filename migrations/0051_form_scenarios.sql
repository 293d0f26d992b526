-- Answers that a form is tried with, and what it should make of them.
create table form_scenarios (
  id bigint generated always as identity primary key,
  form_id bigint not null references forms (id) on delete cascade,
  name text not null,
  -- by id of the field, as the answer endpoint takes them
  answers jsonb not null,
  -- see server/scenarios/schemas.ts
  expected jsonb not null,
  blocks_publishing boolean not null default false,
  created_by bigint references users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Refusals name a scenario, so two of a form may not be told apart by letter case only.
create unique index form_scenarios_name_idx on form_scenarios (form_id, lower(name));
