-- People whom a form is sent to: each has a link of their own, which counts once.

-- How a form treats personal links. A form without a row has no recipients.
create table personal_links (
  form_id bigint primary key references forms (id) on delete cascade,
  -- nobody answers without one
  required boolean not null default false,
  -- who has answered is kept, and nowhere which answers are whose
  anonymous boolean not null default false,
  -- what mails say, {"subject", "text"}; null until somebody wrote it
  invitation jsonb,
  reminder jsonb
);

create table recipients (
  id bigint generated always as identity primary key,
  form_id bigint not null references forms (id) on delete cascade,
  -- what is secret in the link
  code text collate "C" not null,
  name text,
  email text,
  -- the same in small letters: an address is on a list once
  email_key text collate "C",
  -- answers the form is filled in with at first, by field id
  prefill jsonb,
  opened_at timestamptz,
  -- of an anonymous form the day alone
  answered_at timestamptz,
  -- the answer, complete or partial; never of an anonymous form
  submission_public_id uuid,
  -- wants no mails
  declined_at timestamptz,
  -- a mail that is to be sent, by whoever holds the lease
  mail_due text check (mail_due in ('invitation', 'reminder')),
  mail_lease_until timestamptz,
  mail_tries smallint not null default 0,
  mails_sent integer not null default 0,
  mailed_at timestamptz,
  -- why the last mail did not go out
  mail_problem text,
  created_at timestamptz not null default now()
);
create unique index recipients_code_idx on recipients (form_id, code);
create unique index recipients_email_idx on recipients (form_id, email_key) where email_key is not null;
create index recipients_list_idx on recipients (form_id, id);
create index recipients_submission_idx on recipients (form_id, submission_public_id)
  where submission_public_id is not null;
create index recipients_mail_due_idx on recipients (form_id, id) where mail_due is not null;
