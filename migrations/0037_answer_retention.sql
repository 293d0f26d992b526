-- Fields whose answers are removed while the rest of the submission stays.

-- How far the answers to a field have been removed: from all submissions last changed before this moment, and from those of this
-- moment up to this id. It stays true whatever becomes of the rule, as only an import brings answers of an earlier moment.
create table removed_answers (
  form_id bigint not null references forms (id) on delete cascade,
  field text not null,
  changed_at timestamptz not null,
  submission_id bigint not null,
  primary key (form_id, field)
)
with (fillfactor = 50);

-- Forms with such fields, deleted fields included.
create index forms_answer_retention_idx on forms (id)
  where jsonb_path_exists(properties || removed_properties, '$[*].retention_days ? (@ != null)');
