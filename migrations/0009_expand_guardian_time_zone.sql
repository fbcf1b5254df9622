-- Letters to this guardian's children wait while it is night in this zone. Null: the guardian has chosen none.
alter table guardians add column time_zone text;
