-- Public halves of the keys that have signed receipts, so that a receipt can be checked after the secret key was changed. The private
-- halves are derived from the secret key and stored nowhere.

create table receipt_keys (
  -- the first 16 hex digits of the SHA-256 of the public key
  id text primary key,
  -- 32 bytes of Ed25519
  public_key bytea not null,
  created_at timestamptz not null default now()
);
