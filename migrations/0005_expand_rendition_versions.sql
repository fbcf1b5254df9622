-- By which version of the preparation a rendition was made (modules/media/policy.ts).
alter table media_work add column if not exists rendition_version int not null default 1;
-- The rendition is there and watched, and a newer version of it is waiting or under way.
alter table media_work add column if not exists remaking boolean not null default false;
