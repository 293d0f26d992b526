-- What the members of a workspace say about a submission: what they decided, and notes. A submission nobody has spoken of has no
-- rows here, so the intake knows nothing of this.

create sequence review_changes as bigint;

-- No foreign keys: rows go with their submission, and those of a deleted form in steps.
create table submission_reviews (
  form_id bigint not null,
  submission_id bigint not null,
  -- `received` again, or only noted, where it is not decided
  state text not null check (state in ('received', 'has_issues', 'approved', 'rejected')),
  notes_count integer not null default 0 check (notes_count >= 0),
  -- grows with every change among the reviews of a form: whoever looks on asks for what is above
  last_change bigint not null default nextval('review_changes'),
  primary key (form_id, submission_id)
);
alter sequence review_changes owned by submission_reviews.last_change;
create index submission_reviews_state_idx on submission_reviews (form_id, state, submission_id);
create index submission_reviews_last_change_idx on submission_reviews (form_id, last_change);

-- The history: each entry is a decision, a note, or both.
create table review_entries (
  form_id bigint not null,
  id bigint not null generated always as identity,
  submission_id bigint not null,
  -- who said it; the account may be gone
  user_id bigint,
  -- what was decided; null for a note alone
  state text check (state in ('received', 'has_issues', 'approved', 'rejected')),
  note text check (length(note) between 1 and 5000),
  created_at timestamptz not null default now(),
  primary key (form_id, id),
  check (state is not null or note is not null)
);
create index review_entries_submission_id_idx on review_entries (form_id, submission_id, id);
