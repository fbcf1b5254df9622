-- When each daily job last began, on whichever server: one server per day runs it.
create table job_runs (name text primary key, began timestamptz not null);
-- Indexes for the rows that administrators look at, since most rows of these tables are done.
create index errands_failed on errands (failed desc) where failed is not null;
create index errands_done on errands (done) where done is not null;
create index media_work_unfinished on media_work (asked) where state <> 'ready';
create index media_work_state on media_work (state);
