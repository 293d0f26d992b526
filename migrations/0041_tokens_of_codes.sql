-- The code that a program exchanged for its token (RFC 6749, 4.1.2): whoever presents it again ends the token.
alter table access_tokens add column code_hash bytea;
create unique index access_tokens_code_hash_idx on access_tokens (code_hash) where code_hash is not null;
