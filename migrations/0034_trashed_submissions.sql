-- Submissions in the trash: out of everything that reads or counts submissions, and gone for good after a while. What belongs to
-- them (earlier answers, notes, deliveries, files) stays where it is until they come back or go.

-- No foreign key: rows of a deleted form go in steps, as its submissions do.
create table trashed_submissions (
  form_id bigint not null,
  id bigint not null,
  public_id uuid not null,
  status text not null,
  data jsonb not null,
  attribution jsonb,
  completion_time double precision,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what it is called where it was imported from: an import that is run again stores it anew meanwhile
  source_ids text[] not null,
  -- where its review stood; null where nobody has spoken of it
  review_state text,
  review_notes integer,
  trashed_at timestamptz not null default now(),
  primary key (form_id, id)
);
create index trashed_submissions_list_idx on trashed_submissions (form_id, trashed_at, id);
create index trashed_submissions_public_id_idx on trashed_submissions (form_id, public_id);
create index trashed_submissions_trashed_at_idx on trashed_submissions (trashed_at);

-- All that is stored of a form's respondents, for whoever has to find or delete everything.
create view kept_submissions as
select form_id, id, public_id, status, data, attribution, completion_time, created_at, updated_at, null::timestamptz as trashed_at
from submissions
union all
select form_id, id, public_id, status, data, attribution, completion_time, created_at, updated_at, trashed_at
from trashed_submissions;
