-- When each daily job began last, on whichever server: one server a day does it.
create table job_runs (name text primary key, began timestamptz not null);
-- What administrators look at while most of these tables is long done.
create index errands_failed on errands (failed desc) where failed is not null;
create index errands_done on errands (done) where done is not null;
create index media_work_unfinished on media_work (asked) where state <> 'ready';
create index media_work_state on media_work (state);
