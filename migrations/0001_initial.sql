-- Accounts -------------------------------------------------------------------------------------------------

create table users (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 255),
  email text not null check (length(email) between 3 and 254),
  -- argon2id or scrypt in its own textual form; the algorithm and its costs are part of the text
  password_hash text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email_key on users (lower(email));

create table sessions (
  -- SHA-256 of the cookie value: a copy of this table opens nothing
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  user_agent text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_user_id_idx on sessions (user_id);
create index sessions_expires_at_idx on sessions (expires_at);

create table access_tokens (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 255),
  token_hash bytea not null unique,
  -- first visible characters of the token, to recognise it in a list
  token_start text not null,
  abilities text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz
);
create index access_tokens_user_id_idx on access_tokens (user_id);

-- Failed guesses of a secret (account password, form password), counted per subject and address
create table failed_guesses (
  subject text not null,
  address text not null,
  failures integer not null default 1,
  last_failed_at timestamptz not null default now(),
  primary key (subject, address)
);
create index failed_guesses_last_failed_at_idx on failed_guesses (last_failed_at);

-- Workspaces -----------------------------------------------------------------------------------------------

create table workspaces (
  id bigint generated always as identity primary key,
  name text not null check (length(name) between 1 and 255),
  icon text not null default '' check (length(icon) <= 255),
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object'),
  -- megabytes
  max_file_size double precision not null default 25 check (max_file_size > 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table workspace_members (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  user_id bigint not null references users (id) on delete cascade,
  role text not null check (role in ('admin', 'user', 'readonly')),
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index workspace_members_user_id_idx on workspace_members (user_id);

create table workspace_invites (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id) on delete cascade,
  email text not null check (length(email) between 3 and 254),
  role text not null check (role in ('admin', 'user', 'readonly')),
  status text not null default 'pending' check (status in ('pending', 'accepted')),
  -- encrypted like a webhook secret: without mail the link is shown again to admins
  token_encrypted bytea not null,
  token_hash bytea not null unique,
  valid_until timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index workspace_invites_workspace_id_idx on workspace_invites (workspace_id);
create unique index workspace_invites_pending_key on workspace_invites (workspace_id, lower(email)) where status = 'pending';

-- Forms ----------------------------------------------------------------------------------------------------

create table forms (
  id bigint generated always as identity primary key,
  workspace_id bigint not null references workspaces (id),
  creator_id bigint references users (id) on delete set null,
  uuid uuid not null unique default gen_random_uuid(),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 255),
  title text not null check (length(title) between 1 and 255),
  visibility text not null default 'public' check (visibility in ('public', 'draft', 'closed')),
  tags text[] not null default '{}',
  closes_at timestamptz,
  max_submissions_count bigint check (max_submissions_count >= 1),
  password_hash text,
  submission_retention_value integer check (submission_retention_value between 1 and 3650),
  submission_retention_unit text check (submission_retention_unit in ('day', 'week', 'month', 'year')),
  properties jsonb not null default '[]' check (jsonb_typeof(properties) = 'array'),
  -- input fields that were deleted; their past answers stay exportable
  removed_properties jsonb not null default '[]' check (jsonb_typeof(removed_properties) = 'array'),
  -- every other request field of the form (texts, appearance, switches), complete with defaults
  presentation jsonb not null default '{}' check (jsonb_typeof(presentation) = 'object'),
  -- counts saves of the form by a person
  version integer not null default 1,
  -- grows with every change that matters to a submission in flight, integrations included;
  -- the intake refuses a submission that was checked against an older revision
  revision bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((submission_retention_value is null) = (submission_retention_unit is null))
);
create index forms_workspace_id_idx on forms (workspace_id, updated_at desc);

-- The counters of a form. Every statement that stores a submission locks this row first, which makes caps
-- exact and keeps submissions from outliving their form.
create table form_counters (
  form_id bigint primary key references forms (id) on delete cascade,
  completed_count bigint not null default 0 check (completed_count >= 0),
  partial_count bigint not null default 0 check (partial_count >= 0),
  views_count bigint not null default 0,
  -- last number given out to a text field with generates_auto_increment_id
  auto_increment bigint not null default 0
)
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 100);

-- Submissions ----------------------------------------------------------------------------------------------
-- No foreign key to forms: the lock on form_counters does its work once per batch instead of once per row.

create sequence submission_ids as bigint;

create table submissions (
  form_id bigint not null,
  id bigint not null default nextval('submission_ids'),
  public_id uuid not null,
  status text not null check (status in ('completed', 'partial')),
  data jsonb not null,
  attribution jsonb,
  completion_time double precision,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (form_id, id)
);
alter sequence submission_ids owned by submissions.id;
create unique index submissions_public_id_key on submissions (form_id, public_id);

create table idempotency_keys (
  form_id bigint not null,
  key text not null,
  -- SHA-256 of the request body
  body_hash bytea not null,
  -- from these the first answer is given again
  submission_public_id uuid not null,
  was_partial boolean not null,
  was_first boolean not null,
  created_at timestamptz not null default now(),
  primary key (form_id, key)
);
create index idempotency_keys_created_at_idx on idempotency_keys (created_at);

-- Integrations and deliveries ------------------------------------------------------------------------------

create table integrations (
  id bigint generated always as identity primary key,
  form_id bigint not null references forms (id) on delete cascade,
  integration_id text not null,
  status text not null check (status in ('active', 'inactive')),
  -- why the service itself made it inactive, for its owner to read; null otherwise
  inactive_reason text,
  -- what the owner may read back (webhook_url, provider_url …)
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  -- webhook_secret and webhook_headers as encrypted JSON; the key is not in the database
  secrets_encrypted bytea,
  logic jsonb,
  -- first failure of the current run of nothing but failures
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index integrations_form_id_idx on integrations (form_id);

create sequence delivery_ids as bigint;

create table deliveries (
  form_id bigint not null,
  id bigint not null default nextval('delivery_ids'),
  integration_id bigint not null,
  submission_id bigint not null,
  -- stable over all attempts, also when sent again by hand
  webhook_id uuid not null default gen_random_uuid(),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted', 'cancelled')),
  -- the frozen bytes of the request
  body text not null,
  attempts integer not null default 0,
  -- attempts made when somebody asked to send it again: the retry schedule counts from there
  attempts_before_replay integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- somebody is sending it until then
  leased_until timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (form_id, id)
)
-- Every delivery leaves a dead entry at the front of deliveries_due_idx, where the next claim begins: cleaned up early.
with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000,
  autovacuum_vacuum_cost_delay = 0);
alter sequence delivery_ids owned by deliveries.id;
create index deliveries_due_idx on deliveries (integration_id, next_attempt_at, id) where state = 'pending';
create index deliveries_integration_id_idx on deliveries (integration_id, id);
create index deliveries_exhausted_idx on deliveries (integration_id, id) where state = 'exhausted';
create index deliveries_submission_id_idx on deliveries (form_id, submission_id);
create index deliveries_finished_at_idx on deliveries (finished_at) where finished_at is not null;

create table delivery_attempts (
  form_id bigint not null,
  delivery_id bigint not null,
  attempt integer not null,
  integration_id bigint not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  -- HTTP status, or null with the reason why none came: a fixed word and a sentence
  status_code integer,
  failure text,
  failure_detail text,
  -- first 2 KiB of what the receiver said
  response_excerpt text,
  primary key (form_id, delivery_id, attempt)
);
create index delivery_attempts_integration_id_idx on delivery_attempts (integration_id, started_at desc);
create index delivery_attempts_started_at_idx on delivery_attempts (started_at);

-- Exports --------------------------------------------------------------------------------------------------

create table export_jobs (
  id bigint generated always as identity primary key,
  job_id text not null unique,
  form_id bigint not null references forms (id) on delete cascade,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  progress integer not null default 0 check (progress between 0 and 100),
  processed_submissions bigint,
  total_submissions bigint,
  columns jsonb not null,
  options jsonb not null default '{}',
  -- name of the file in the file store, and the SHA-256 of the secret part of its link
  file_name text,
  file_token_encrypted bytea,
  file_token_hash bytea unique,
  expires_at timestamptz,
  error_message text,
  -- the worker that builds it renews this; a job whose lease has passed is taken over
  leased_until timestamptz,
  -- how often a worker has begun it: one that keeps dying on it must not go on for ever
  attempts integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index export_jobs_form_id_idx on export_jobs (form_id);
create index export_jobs_unfinished_idx on export_jobs (leased_until) where status in ('queued', 'processing');

-- Captcha: a solved proof of work counts once
create table spent_challenges (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index spent_challenges_expires_at_idx on spent_challenges (expires_at);
