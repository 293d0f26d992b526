-- What else came by a personal link, and goes with its recipient: what was begun before, and sent before the link was good once more.
-- Nothing of an anonymous form.
alter table recipients add column earlier_submissions uuid[] not null default '{}';

-- Of an anonymous form the hash of a request told by whose link it came.
delete from idempotency_keys where form_id in (select form_id from personal_links where anonymous);
