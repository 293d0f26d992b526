-- Forms in the trash: drafts that lists leave out, and that go for good after a while. `visibility` is what they were before, for
-- when they come back.
create table trashed_forms (
  form_id bigint primary key references forms on delete cascade,
  visibility text not null,
  trashed_at timestamptz not null default now()
);
