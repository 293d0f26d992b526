-- The field whose address was confirmed: another answer may be the same text, and the form may name another field by now. Null for what
-- was stored before this; then it is the field that the form names.
alter table confirmed_addresses add column field_id text;
-- Likewise of the address that is to be confirmed.
alter table set_aside_submissions add column unconfirmed_field text;

create or replace function forget_changed_address() returns trigger language plpgsql as $$
begin
  delete from confirmed_addresses proof
  where proof.form_id = new.form_id and proof.public_id = new.public_id
    and lower(address) is distinct from lower(new.data ->> coalesce(field_id, (
      select presentation #>> '{settings,confirms_email}' from forms where id = new.form_id)));
  return null;
end
$$;

create or replace function forget_removed_address() returns trigger language plpgsql as $$
begin
  if new.unconfirmed_address is distinct from new.data ->> coalesce(new.unconfirmed_field, (
    select presentation #>> '{settings,confirms_email}' from forms where id = new.form_id)) then
    new.unconfirmed_address := null;
  end if;
  return new;
end
$$;
