-- The drafts of a form count their saves on from one to the next: a save that is meant for a former draft replaces no later one.

-- Revision of the last draft that was published or thrown away.
alter table forms add column last_draft_revision integer not null default 0;
