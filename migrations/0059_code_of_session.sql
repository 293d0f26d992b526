-- A permission goes with the session in which it was given: ending that session would otherwise leave whoever had stolen it a token to take.
delete from authorization_codes;
alter table authorization_codes add column session_hash bytea not null references sessions (token_hash) on delete cascade;
create index authorization_codes_session_hash_idx on authorization_codes (session_hash);
