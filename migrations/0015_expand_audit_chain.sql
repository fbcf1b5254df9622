-- The hash chain of the audit (modules/audit/hash-chain.ts): one row for each event of the log. It is no read model: a rebuild leaves it as it is,
-- so that a log which was changed afterwards no longer fits it.
create table audit_chain (
  position bigint primary key,
  event uuid not null,
  -- What the hashes cover and the audit does not show: the hash of the request, and the words of people as the log holds them.
  asked text,
  encrypted jsonb,
  data_hash text not null,
  hash text not null,
  chained timestamptz not null default now()
);
