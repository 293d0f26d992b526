-- Pictures that forms show: logos, covers, those of questions and options. They are small, so that they lie here beside the
-- forms: one backup holds both, and every process has them.
create table pictures (
  workspace_id bigint not null references workspaces (id) on delete cascade,
  -- SHA-256 of the content in hex, and the ending of its kind: an address stands for one picture for ever
  name text not null check (name ~ '^[0-9a-f]{64}\.[a-z]{3,4}$'),
  content bytea not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, name)
);
-- They are asked for by name alone.
create index pictures_name_idx on pictures (name);
-- What they hold is compressed already.
alter table pictures alter column content set storage external;
