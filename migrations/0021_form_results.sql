-- What everybody may see of a form's answers, as it was last worked out: numbers of at least as many people as its owner wants
-- together. It is worked out anew when as many more have answered, so that nobody can tell one answer by looking twice.
create table form_results (
  form_id bigint primary key references forms (id) on delete cascade,
  -- what was asked when it was worked out: another question, another option make another
  asked text not null,
  -- complete submissions in it
  submissions integer not null,
  results jsonb not null,
  made_at timestamptz not null default now()
);
