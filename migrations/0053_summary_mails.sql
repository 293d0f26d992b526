-- Members who want a mail about their workspace every day or every week.

create table summary_mails (
  workspace_id bigint not null,
  user_id bigint not null,
  every text not null check (every in ('day', 'week')),
  -- the last day (UTC) that the latest mail was about, or that is not to be told
  told_to date not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references workspace_members (workspace_id, user_id) on delete cascade
);
create index summary_mails_told_to_idx on summary_mails (told_to);
