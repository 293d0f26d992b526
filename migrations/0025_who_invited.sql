-- Accounts that have had the link of an invite: who made it, and who sent it again where the link was told. It goes when one of them
-- may invite nobody any more. Nothing is known of those that were made before.
alter table workspace_invites add column invited_by bigint[] not null default '{}';
