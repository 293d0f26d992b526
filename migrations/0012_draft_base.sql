-- The form as it was when the changes of a draft were begun, to tell what others changed since; null for those begun
-- before this was kept.
alter table unpublished_changes add column base jsonb;
