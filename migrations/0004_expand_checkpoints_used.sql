-- When a server last reported that it uses this read model: tables of other versions are kept for a day after that.
alter table checkpoints add column if not exists used timestamptz not null default now();
