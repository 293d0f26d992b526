-- Submissions that came from another product, by what they are called there: an import that is run again finds what it has stored.

-- No foreign key: rows of a deleted form go in steps, as its submissions do, and those of a deleted submission with it.
create table imported_submissions (
  form_id bigint not null,
  source_id text collate "C" not null,
  submission_id bigint not null,
  primary key (form_id, source_id)
);
create index imported_submissions_submission_idx on imported_submissions (form_id, submission_id);
