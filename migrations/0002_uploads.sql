-- Files of respondents. A row is there before its file is and goes after it, so that the store never holds a file that
-- nobody knows of. No foreign keys: the row outlives its form and its submission until the file is gone.
create table uploads (
  id uuid primary key,
  form_id bigint not null,
  property_id text not null,
  -- as answers hold it: the cleaned name, `_`, the id, `.`, the extension
  name text not null check (length(name) <= 255),
  -- in the file store
  store_name text not null unique,
  -- bytes; until the file has arrived completely, the most that it may have
  size bigint not null check (size >= 0),
  -- as the content shows it
  content_type text not null default 'application/octet-stream',
  -- keyed hash of form and network it came from, until a submission claims it: limits what one visitor leaves behind
  sender bytea,
  -- the submission that holds it; it may still be on its way into the database, or never have arrived
  submission_public_id uuid,
  -- that submission was seen in the database
  is_settled boolean not null default false,
  created_at timestamptz not null default now(),
  received_at timestamptz,
  -- received or claimed for the last time; what is not settled a day later is removed
  touched_at timestamptz not null default now(),
  -- the file has to go, and the row after it
  removed_at timestamptz
);
create index uploads_form_id_idx on uploads (form_id, submission_public_id);
create index uploads_unsettled_idx on uploads (touched_at) where not is_settled;
create index uploads_removed_idx on uploads (form_id) where removed_at is not null;
