-- When a server last said that it reads this: tables of other versions of a read model are kept for a day after.
alter table checkpoints add column if not exists used timestamptz not null default now();
