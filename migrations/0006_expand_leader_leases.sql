-- Which process does work that one should do for all, and until when unless it says so again. Unlogged: after a crash of the database anybody may.
create unlogged table leader_leases (
  name text primary key,
  holder uuid not null,
  expires timestamptz not null
);
