-- Addresses that respondents confirm: the complete submission waits among what was set aside until its sender has opened a mailed link.

-- where the link was sent; null for what is suspected spam
alter table set_aside_submissions add column unconfirmed_address text;
create index set_aside_submissions_unconfirmed_idx on set_aside_submissions (form_id) where unconfirmed_address is not null;

-- Proof of it, as long as the submission exists. By the public id, which stays the same in the trash and back. No foreign key: rows of a
-- deleted form go in steps, as its submissions do.
create table confirmed_addresses (
  form_id bigint not null,
  public_id uuid not null,
  address text not null,
  confirmed_at timestamptz not null default now(),
  primary key (form_id, public_id)
);

-- It proves the address among the answers: when that is changed or removed, by whomever, there is no proof any more.
create function forget_changed_address() returns trigger language plpgsql as $$
begin
  delete from confirmed_addresses
  where form_id = new.form_id and public_id = new.public_id and not exists (
    select from jsonb_each_text(case jsonb_typeof(new.data) when 'object' then new.data else '{}' end) answer
    where lower(answer.value) = lower(address));
  return null;
end
$$;
create trigger submission_address_changed after update on submissions for each row
  when (old.status = 'completed' and old.data is distinct from new.data) execute function forget_changed_address();
create trigger trashed_address_changed after update on trashed_submissions for each row
  when (old.data is distinct from new.data) execute function forget_changed_address();

-- What waits may lose its address too: the retention of a field removes answers.
create function forget_removed_address() returns trigger language plpgsql as $$
begin
  if not exists (select from jsonb_each_text(new.data) answer where answer.value = new.unconfirmed_address) then
    new.unconfirmed_address := null;
  end if;
  return new;
end
$$;
create trigger unconfirmed_address_removed before update on set_aside_submissions for each row
  when (new.unconfirmed_address is not null and old.data is distinct from new.data) execute function forget_removed_address();
