-- The version of the preparation that made the rendition (modules/media/policy.ts).
alter table media_work add column if not exists rendition_version int not null default 1;
-- Whether a playable rendition exists while a newer version of it is waiting or in progress.
alter table media_work add column if not exists remaking boolean not null default false;
