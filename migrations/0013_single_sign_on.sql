-- Who a provider of OpenID Connect says somebody is, and whose account that is.

-- null: the person signs in through the provider alone
alter table users alter column password_hash drop not null;

create table identities (
  -- one per account
  user_id bigint primary key references users (id) on delete cascade,
  issuer text not null,
  -- what the issuer calls the person, for ever; an e-mail address may be given to somebody else
  subject text not null,
  created_at timestamptz not null default now(),
  unique (issuer, subject)
);
