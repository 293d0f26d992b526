-- Numbers that submissions had before they were in the trash: links of chats, mails and the audit log hold them.

-- No foreign key: rows of a deleted form go in steps, as its submissions do.
create table former_submission_ids (
  form_id bigint not null,
  former_id bigint not null,
  -- the number it has now, also in the trash
  submission_id bigint not null,
  primary key (form_id, former_id)
);
create index former_submission_ids_submission_idx on former_submission_ids (form_id, submission_id);
