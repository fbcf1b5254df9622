-- The trace id of the request that caused a media job. Jobs of the release before have none.
alter table media_work add column trace text;
