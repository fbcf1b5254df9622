import type { Sql, TransactionSql } from 'postgres'

/**
 * The position up to which each subscription has taken the log, and its parked streams, each with the first event that it could not take.
 * `checkpoints.parked` gets a new value whenever the parked streams of its subscription change; null while there are none.
 * `checkpoints.log_end` is where the log ended when it turned out to be shorter than what the subscription had read: the subscription is stopped
 * until a rebuild. Null while the log holds everything that was read.
 */
const schema = `
create table if not exists checkpoints (
  name text primary key,
  position bigint not null default -1,
  parked uuid,
  log_end bigint,
  at timestamptz not null default now()
);
do $$ begin
  if not exists (select from pg_attribute where attrelid = 'checkpoints'::regclass and attname = 'parked') then
    alter table checkpoints add column parked uuid;
  end if;
  if not exists (select from pg_attribute where attrelid = 'checkpoints'::regclass and attname = 'log_end') then
    alter table checkpoints add column log_end bigint;
  end if;
end $$;
create table if not exists parked (
  reader text not null,
  stream text not null,
  position bigint not null,
  revision bigint not null,
  event text not null,
  type text not null,
  error text not null,
  code text not null,
  at timestamptz not null default now(),
  primary key (reader, stream)
);
comment on column parked.code is 'The code that tried it last: other code tries again by itself';
`

/** Any constant: all processes of ours take the same lock. */
const SCHEMA_LOCK = 20260101

/** Makes the tables above if they are missing, then does `work`, in one transaction and under a lock: many processes may start at once. */
export const withSchemaLock = <T>(sql: Sql, work: (tx: TransactionSql) => Promise<T>) =>
  sql.begin(async tx => {
    await tx`select pg_advisory_xact_lock(${SCHEMA_LOCK})`
    await tx.unsafe(schema)
    return work(tx)
  }) as Promise<T>

/** Moves checkpoints that this transaction has locked, and tells every process. */
export const moveCheckpoints = (tx: TransactionSql, names: string[], position: bigint) => tx`
  with moved as (
    update checkpoints set position = ${`${position}`}::bigint, at = now() where name in ${tx(names)}
  )
  select pg_notify('checkpoints', ${JSON.stringify({ names, position: `${position}` })})`
