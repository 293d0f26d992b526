-- What was erased for a person, without saying who the person was. No foreign keys: the record outlives the workspace
-- and the account it speaks of.
create table erasures (
  id bigint generated always as identity primary key,
  workspace_id bigint not null,
  -- HMAC-SHA256 of the value that was searched for: it can be compared with a value somebody names, and not read
  value_hash text not null,
  value_kind text not null check (value_kind in ('email', 'other')),
  -- who asked: an account, through a token or not; null for the operator's command
  user_id bigint,
  token_id bigint,
  -- numbers only: submissions, files, deliveries …
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),
  erased_at timestamptz not null default now()
);
create index erasures_value_hash_idx on erasures (value_hash, workspace_id);
create index erasures_workspace_id_idx on erasures (workspace_id, id);

-- Backups made with the command, so that the doctor can tell how old the last one is
create table backups (
  id bigint generated always as identity primary key,
  -- the moment whose state it holds
  taken_at timestamptz not null,
  finished_at timestamptz not null default now(),
  bytes bigint not null,
  files_missing integer not null default 0
);
