-- Two addresses are the same when they differ by the case of A to Z alone. The small letters of İ and of the Kelvin sign are i and k under
-- most collations, and an address with those may be somebody else's.
drop index users_email_key;
create unique index users_email_key on users (lower(email collate "C"));
drop index workspace_invites_pending_key;
create unique index workspace_invites_pending_key on workspace_invites (workspace_id, lower(email collate "C")) where status = 'pending';

create or replace function forget_changed_address() returns trigger language plpgsql as $$
begin
  delete from confirmed_addresses proof
  where proof.form_id = new.form_id and proof.public_id = new.public_id
    and lower(address collate "C") is distinct from lower((new.data ->> coalesce(field_id, (
      select presentation #>> '{settings,confirms_email}' from forms where id = new.form_id))) collate "C");
  return null;
end
$$;
