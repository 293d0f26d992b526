-- A claim and the record of an attempt write the row of a delivery anew. With room on the same page a claim changes no index, and what
-- is outdated is cleared away right there. A fifth of the page was too little for it: rows are large, and claimed many at a time.
alter table deliveries set (fillfactor = 50);
