-- What answers said before they were changed. A submission that stays as it was sent has no rows here, so the intake knows nothing
-- of this. No foreign keys: rows go with their submission, and those of a deleted form in steps.
create table submission_changes (
  form_id bigint not null,
  submission_id bigint not null,
  id bigint not null generated always as identity,
  -- the account may be gone; null where the respondent changed it, too
  user_id bigint,
  is_by_member boolean not null,
  -- the answers that were changed, as they were: by the id of the field, null where there was none
  answers jsonb not null,
  changed_at timestamptz not null,
  primary key (form_id, submission_id, id)
);
