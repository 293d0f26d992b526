-- What a visitor has typed so far, between two pages of a form, where no script keeps it in the browser.
-- Nobody but the visitor reads it, and it is removed after a day or when the form is sent.
create table form_drafts (
  form_id bigint not null references forms (id) on delete cascade,
  -- SHA-256 of the random id in the address of the visitor's page
  id_hash bytea not null,
  -- json keeps the order of the members as it came
  answers json not null,
  -- what was wrong with them when they were last sent: messages by field id
  problems json not null default '{}',
  updated_at timestamptz not null default now(),
  primary key (form_id, id_hash)
);
create index form_drafts_updated_at_idx on form_drafts (updated_at);
