-- What everybody may see of a form's answers, as it was last worked out: numbers of several people together. It is worked out
-- anew when as many others have come or gone as the owner wants together, so that looking twice does not tell whose answer it was.
create table form_results (
  form_id bigint primary key references forms (id) on delete cascade,
  -- counts up: of two processes that work it out at once, one has its way
  version integer not null default 1,
  -- submissions that are shown together
  step integer not null,
  -- complete ones in it
  submissions integer not null,
  -- the newest of the form at that time
  last_id bigint not null,
  -- by question: its answers, and what was asked
  questions jsonb not null
);
