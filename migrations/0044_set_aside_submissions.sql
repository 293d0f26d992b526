-- Suspected spam: complete submissions that were set aside when they arrived, out of everything that reads or counts submissions. Each
-- is released into `submissions` or goes for good after a while. Its uploads belong to it from the beginning.

-- No foreign key: rows of a deleted form go in steps, as its submissions do.
create table set_aside_submissions (
  form_id bigint not null,
  -- of the sequence of the submissions, so that nothing takes one for another; a released one gets a new one
  id bigint not null default nextval('submission_ids'),
  public_id uuid not null,
  data jsonb not null,
  attribution jsonb,
  completion_time double precision,
  -- which rules; see server/submissions/set-aside/reasons.ts
  reasons text[] not null,
  created_at timestamptz not null default now(),
  primary key (form_id, id)
);
create index set_aside_submissions_public_id_idx on set_aside_submissions (form_id, public_id);
create index set_aside_submissions_created_at_idx on set_aside_submissions (created_at);

create or replace view kept_submissions as
select form_id, id, public_id, status, data, attribution, completion_time, created_at, updated_at, null::timestamptz as trashed_at
from submissions
union all
select form_id, id, public_id, status, data, attribution, completion_time, created_at, updated_at, trashed_at
from trashed_submissions
union all
select form_id, id, public_id, 'set_aside', data, attribution, completion_time, created_at, created_at, null
from set_aside_submissions;
