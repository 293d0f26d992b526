-- Audit log --------------------------------------------------------------------------------------------------
-- Who did what to what. Without foreign keys, and with the names of the moment: rows outlive what they tell of.

create table audit_events (
  id bigint generated always as identity primary key,
  created_at timestamptz not null default now(),
  -- a session, a token acting for its owner, the operator at the command line, the service itself
  actor text not null check (actor in ('user', 'token', 'cli', 'system')),
  user_id bigint,
  user_name text,
  token_id bigint,
  token_name text,
  -- IPv4 address, or /64 network of an IPv6 one
  network text,
  verb text not null check (verb ~ '^[a-z_]+\.[a-z_]+$'),
  workspace_id bigint,
  workspace_name text,
  form_id bigint,
  form_title text,
  -- what else the verb speaks of: a member, token, session, invite, integration, submission
  target_id bigint,
  target_name text,
  -- small; never secrets, answers or header values
  details jsonb not null default '{}' check (jsonb_typeof(details) = 'object' and pg_column_size(details) < 65536)
);
create index audit_events_workspace_id_idx on audit_events (workspace_id, id desc);
create index audit_events_created_at_idx on audit_events (created_at);

-- Rows are added, and deleted when they are older than 400 days; nothing else happens to them.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '400 days' then
    return old;
  end if;
  raise exception 'audit_events is append-only' using errcode = 'restrict_violation';
end
$$;
create trigger audit_events_append_only before update or delete on audit_events
  for each row execute function refuse_audit_change();
create trigger audit_events_no_truncate before truncate on audit_events
  for each statement execute function refuse_audit_change();

-- Sessions -----------------------------------------------------------------------------------------------------

-- to name a session in a list, and where it was used last
alter table sessions
  add column id bigint generated always as identity unique,
  add column network text;

-- Second factor ------------------------------------------------------------------------------------------------

create table second_factors (
  user_id bigint primary key references users (id) on delete cascade,
  -- base32, encrypted like a webhook secret
  secret_encrypted bytea not null,
  -- null until a first code has shown that the person's device has the secret
  confirmed_at timestamptz,
  -- number of the 30-second step whose code was used last: no code counts twice
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  user_id bigint not null references second_factors (user_id) on delete cascade,
  -- SHA-256 of 80 random bits
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);

-- Somebody who knew the password and has not shown the second factor yet
create table pending_sign_ins (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  expires_at timestamptz not null
);
create index pending_sign_ins_user_id_idx on pending_sign_ins (user_id);
create index pending_sign_ins_expires_at_idx on pending_sign_ins (expires_at);

-- Key ----------------------------------------------------------------------------------------------------------

-- Which key the encrypted columns belong to since the last rotation; derived from the key, which it does not tell
create table secret_key (
  is_only boolean primary key default true check (is_only),
  fingerprint text not null,
  rotated_at timestamptz not null default now()
);
