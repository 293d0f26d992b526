-- A keyed hash of form and network of whoever sent what waits to be paid; null for what waits for something else, and once it is paid. It
-- limits how much one network can leave unpaid.
alter table set_aside_submissions add column sender bytea;
