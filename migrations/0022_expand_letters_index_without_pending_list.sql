-- An administrator's page of a person looks up about a hundred ids in this index. Postgres collects new entries of a GIN index in a list that
-- each of these lookups reads from end to end, until a vacuum empties it. Letters are few, so their entries go to the index at once.
alter index errands_letters set (fastupdate = off);
select gin_clean_pending_list('errands_letters');
