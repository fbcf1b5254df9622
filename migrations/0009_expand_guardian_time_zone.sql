-- Letters to children of this guardian wait while it is night there. Null: the guardian has said none.
alter table guardians add column time_zone text;
