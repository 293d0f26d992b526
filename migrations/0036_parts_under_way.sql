-- Parts of large files take room from when they begin, however many are sent for the same place.

-- bytes it may have, as far as was known when it began
alter table upload_parts add column most bigint not null default 0;
