-- The trace id of the request that caused an errand. Errands of the release before have none.
alter table errands add column trace text;
