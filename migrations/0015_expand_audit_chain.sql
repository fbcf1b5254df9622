-- The hash chain of the audit (modules/audit/hash-chain.ts): one row per event of the log. It is not a read model: a rebuild does not change it,
-- so a log that was changed afterwards no longer matches it.
create table audit_chain (
  position bigint primary key,
  event uuid not null,
  -- What the hashes cover in addition to what the audit shows: the hash of the request, and people's texts as the log stores them.
  asked text,
  encrypted jsonb,
  data_hash text not null,
  hash text not null,
  chained timestamptz not null default now()
);
