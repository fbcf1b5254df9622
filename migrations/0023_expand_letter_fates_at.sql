-- The delivery statuses of the last days are counted, and old ones deleted, without reading the whole table.
create index letter_fates_at on letter_fates (at);
