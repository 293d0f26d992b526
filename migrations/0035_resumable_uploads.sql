-- Large files arrive in parts, each a file of its own in the file store, until the last one is there and all become the file of their
-- row in uploads.

create table resumable_uploads (
  upload_id uuid primary key references uploads (id) on delete cascade,
  -- bytes the file has, as its sender said when it began
  length bigint not null,
  -- bytes that have arrived, from the beginning and without a gap
  received bigint not null default 0,
  -- the header Upload-Metadata as it came
  metadata text not null,
  -- a process is putting the parts together, and has until then
  joining_until timestamptz
);

-- Several parts may be sent for the same place: the one that arrives first counts.
create table upload_parts (
  store_name text primary key,
  upload_id uuid not null references resumable_uploads (upload_id) on delete cascade,
  -- where it begins in the file, in bytes
  start bigint not null,
  -- bytes it may have, as far as was known when it began
  most bigint not null,
  -- bytes; null until it has arrived
  length bigint,
  begun_at timestamptz not null default now()
);
create index upload_parts_upload_id_idx on upload_parts (upload_id);
