-- Whose download link goes when they leave the workspace or the service. Null for what was made before, or without an account.
alter table export_jobs add column user_id bigint references users (id) on delete cascade;
create index export_jobs_user_id_idx on export_jobs (user_id);
