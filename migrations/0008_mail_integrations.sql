-- How many mails a form has sent, so that nobody can make it send more than it should.
create table mail_counts (
  form_id bigint not null references forms (id) on delete cascade,
  -- the kind of integration; or the recipient of a confirmation, as HMAC
  counted text not null,
  -- the beginning of the hour, or of the day (UTC), that is counted
  since timestamptz not null,
  count integer not null,
  primary key (form_id, counted, since)
)
with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 1000);
create index mail_counts_since_idx on mail_counts (since);
