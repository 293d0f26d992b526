-- A draft that somebody saved theirs over is kept among the versions of the form: it never was the form.
alter table form_versions add column of_draft boolean not null default false;
