-- The leader that does work for all processes, and until when unless it renews the lease. Unlogged, because after a crash of the database any
-- process may become the leader.
create unlogged table leader_leases (
  name text primary key,
  holder uuid not null,
  expires timestamptz not null
);
