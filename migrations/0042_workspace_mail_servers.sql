-- The server and the sender of the mails of a workspace's forms; without a row the installation's.
create table workspace_mail_servers (
  workspace_id bigint primary key references workspaces (id) on delete cascade,
  host text not null,
  port int not null check (port between 1 and 65535),
  -- tls: from the first byte; starttls: before anything is said, or not at all; none: never
  security text not null check (security in ('tls', 'starttls', 'none')),
  user_name text,
  password_encrypted bytea,
  sender_address text not null,
  sender_name text,
  updated_at timestamptz not null default now(),
  -- A password is never sent readable.
  check ((user_name is null) = (password_encrypted is null) and (user_name is null or security <> 'none'))
);
