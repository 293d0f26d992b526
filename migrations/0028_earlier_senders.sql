-- By it the sender of a submission is found whose link was good once more afterwards.
create index recipients_earlier_idx on recipients using gin (earlier_submissions)
  with (fastupdate = off) where earlier_submissions <> '{}';
