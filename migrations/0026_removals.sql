-- When submissions of the form were last removed together with deliveries. What dispatchers hold in memory since before may be among them.
alter table form_counters add column deliveries_removed_at timestamptz;
