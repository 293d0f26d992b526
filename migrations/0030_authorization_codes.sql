-- Programs that ask a person for access (OAuth 2.1). What a person has allowed, until the program takes its token: once, and soon.
create table authorization_codes (
  -- SHA-256
  code_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  client_id text not null,
  redirect_uri text not null,
  -- SHA-256 of what only the program that asked can name, in base64url (RFC 7636)
  code_challenge text not null,
  -- Of the token
  name text not null check (length(name) between 1 and 255),
  abilities text[] not null,
  -- null = never
  token_expires_at timestamptz,
  expires_at timestamptz not null
);
create index authorization_codes_user_id_idx on authorization_codes (user_id);
create index authorization_codes_expires_at_idx on authorization_codes (expires_at);
