-- The complete schema at the time when numbered migrations began. It creates the tables of a new database, and adopts a database of earlier
-- servers, which created their tables at the start, however old: each statement creates what is missing and leaves the rest. Never change its
-- statements; write the next file instead.

-- How far each reader has read the log. `parked` gets a new value whenever the reader's parked streams change, and is null while there are none.
-- `log_end` is the log's last position if the log turned out to end before the reader's position, which stops the reader until a rebuild;
-- otherwise null.
create table if not exists checkpoints (
  name text primary key,
  position bigint not null default -1,
  parked uuid,
  log_end bigint,
  at timestamptz not null default now()
);
alter table checkpoints add column if not exists parked uuid;
alter table checkpoints add column if not exists log_end bigint;
-- Parked streams were stored here before they had a table. No release that can run at the same time as this one reads the column.
alter table checkpoints drop column if exists poison;

-- Streams that a reader has parked, each with the first event that it could not process.
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

-- The event log, unless it is in EventStoreDB. `json` instead of `jsonb`, because it preserves the text exactly and is read faster.
create table if not exists events (
  position bigint primary key,
  stream text not null,
  revision bigint not null,
  id uuid not null,
  type text not null,
  data json not null,
  meta json not null,
  at timestamptz not null,
  unique (stream, revision)
);
-- One row, which every append locks: so positions are gapless and become visible in order, which a sequence does not guarantee.
create table if not exists head (one bool primary key default true check (one), position bigint not null);
insert into head (position) values (-1) on conflict do nothing;

create or replace function events_are_final() returns trigger language plpgsql as $$
begin raise exception 'Events are final: % refused', lower(tg_op); end $$;
create or replace trigger final before update or delete or truncate on events execute function events_are_final();

-- A function, because each of its statements sees what was committed while it waited for the lock. Servers of several releases call it at the
-- same time, so different behavior needs a new function, append_events_2.
create or replace function append_events(appends json, news json) returns table (actual bigint, last bigint)
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare here bigint;
begin
  select position into here from head for update;
  return query
  with asked as materialized (
    select a.n, a.stream, a.expected, a.size,
      coalesce((select e.revision from events e where e.stream = a.stream order by e.revision desc limit 1), -1) as revision
    from json_to_recordset(appends) as a(n int, stream text, expected bigint, size int)
  ), placed as materialized (
    select *, here + sum(size) over (order by n) as upto from asked where revision = expected
  ), written as (
    insert into events
    select p.upto - p.size + 1 + e.i, p.stream, p.expected + 1 + e.i, e.id, e.type, coalesce(e.data, 'null'), e.meta, date_trunc('milliseconds', clock_timestamp())
    from json_to_recordset(news) as e(n int, i int, id uuid, type text, data json, meta json) join placed p using (n)
  ), moved as (
    update head set position = (select max(upto) from placed) where exists (select from placed)
  )
  select a.revision, p.upto::bigint from asked a left join placed p using (n) order by a.n;
  perform pg_notify('events', '');
end $$;

-- Performed errands stay in the table, so that posting the same errand again does nothing.
create table if not exists errands (
  id text primary key,
  kind text not null,
  payload jsonb not null,
  due timestamptz not null default now(),
  asked timestamptz not null default now(),
  tried timestamptz,
  attempt int not null default 0,
  done timestamptz,
  failed timestamptz,
  error text
);
comment on column errands.due is 'Not before; while somebody performs it, when another takes over unless its lease is renewed';
comment on column errands.tried is 'When it was first tried';
create index if not exists errands_waiting on errands (due) where done is null and failed is null;

-- Accounts, their sessions, and the one-time links that were sent to them.
create table if not exists users (
  id uuid primary key,
  role text not null check (role in ('player', 'instructor', 'admin')),
  -- The e-mail address in lower case.
  username text not null unique,
  email text not null,
  password text not null,
  first_name text not null,
  last_name text not null,
  phone text,
  born date,
  picture text,
  referral_code text,
  guardian_name text,
  guardian_email text,
  guardian_confirmed timestamptz,
  -- The id of the command that registered the account, so that a request repeated after a lost response is not refused.
  command uuid not null unique,
  created timestamptz not null
);
create index if not exists users_phone on users (right(regexp_replace(phone, '\D', '', 'g'), 10));

create table if not exists sessions (
  id uuid primary key,
  -- SHA-256 of the token in the cookie.
  token bytea not null unique,
  owner uuid not null references users on delete cascade,
  device text not null,
  started timestamptz not null,
  last_used timestamptz not null,
  expires timestamptz not null
);
create index if not exists sessions_owner on sessions (owner);

-- Notifies every process of an ended session, however it ended.
create or replace function session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions_ended', old.id::text);
  return null;
end $$;
create or replace trigger session_deleted after delete on sessions for each row execute function session_ended();
create or replace trigger session_shortened after update on sessions for each row
  when (new.expires < old.expires or new.owner <> old.owner or new.token <> old.token) execute function session_ended();

-- Known browsers: SHA-256 of the token in their cookie.
create table if not exists devices (
  token bytea not null,
  owner uuid not null references users on delete cascade,
  last_used timestamptz not null,
  primary key (token, owner)
);
create index if not exists devices_owner on devices (owner);

create table if not exists links (
  id uuid primary key,
  kind text not null,
  -- SHA-256 of the token in the link, and the token itself until its letter has been sent.
  hash bytea not null unique,
  token text,
  owner uuid references users on delete cascade,
  -- The address of the letter, if it is not the owner's.
  email text,
  expires timestamptz not null
);

-- Requests of people who cannot sign in, until the account is looked up. Storing the request takes the same time whether or not the account
-- exists.
create table if not exists recoveries (
  id uuid primary key,
  kind text not null check (kind in ('password', 'email')),
  asked jsonb not null,
  at timestamptz not null
);

-- Counters of the rate limits. Unlogged, because a crash may forget them, and counting must not cost a write to the disk.
create unlogged table if not exists limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
do $$ begin
  if (select relpersistence from pg_class where oid = 'limits'::regclass) = 'p' then
    alter table limits set unlogged;
  end if;
end $$;

-- Public profiles, connections, and everybody's pictures.
create table if not exists instructors (
  id uuid primary key references users on delete cascade,
  slug text unique,
  sports text[] not null,
  skills text[] not null,
  about text not null default '',
  experience text not null default '',
  invite_code text not null unique,
  -- Listed first on the landing page until then.
  featured_until timestamptz
);
-- Former addresses of a profile, which redirect to the current one.
create table if not exists former_slugs (
  slug text primary key,
  instructor uuid not null references instructors on delete cascade
);
create table if not exists connections (
  player uuid not null references users on delete cascade,
  instructor uuid not null references instructors on delete cascade,
  since timestamptz not null,
  primary key (player, instructor)
);
create index if not exists connections_instructor on connections (instructor);
create table if not exists follows (
  player uuid not null references users on delete cascade,
  instructor uuid not null references instructors on delete cascade,
  since timestamptz not null,
  primary key (player, instructor)
);
create index if not exists follows_instructor on follows (instructor);
create table if not exists pictures (
  file text primary key,
  owner uuid not null unique references users on delete cascade,
  bytes bytea not null
);

-- E-mail addresses left on the landing page.
create table if not exists leads (
  -- In lower case.
  email text primary key,
  metadata jsonb not null,
  created timestamptz not null
);

-- Drafts of reviews, which are not worth an event before they are delivered: one per assignment and instructor.
create table if not exists drafts (
  assignment uuid primary key,
  -- Null in drafts from before this column existed.
  instructor uuid,
  -- The revision, which counts saves from 1.
  revision int not null,
  draft jsonb not null,
  saved timestamptz not null
);
alter table drafts add column if not exists instructor uuid;

-- Uploads in progress, and for each video how its bytes were uploaded.
create table if not exists uploads (
  -- Becomes the video's id.
  id uuid primary key,
  folder uuid not null,
  player uuid not null,
  name text not null,
  type text not null,
  bytes int not null,
  fingerprint text not null,
  part_bytes int not null,
  -- The object store's id of the multipart upload.
  multipart text not null,
  -- uploading, then checked (the bytes are complete and final), then done (the video is in its folder); sweeping: abandoned.
  status text not null default 'uploading' check (status in ('uploading', 'checked', 'done', 'sweeping')),
  milliseconds int,
  poster bool not null default false,
  started timestamptz not null,
  touched timestamptz not null
);
-- The video that this one replaces.
alter table uploads add column if not exists replaces uuid;
-- What the browser read from the file, including the frame table.
alter table uploads add column if not exists inside jsonb;
-- The key to which its parts are uploaded; null in rows from before that differed from the key of the video.
alter table uploads add column if not exists upload_key text;
create index if not exists uploads_folder on uploads (folder) where status <> 'done';
create index if not exists uploads_touched on uploads (touched) where status <> 'done';

-- Media jobs: one row for each video and each output. The log has no events of them, because every output can be made again.
create table if not exists media_work (
  video uuid not null,
  -- The output: rendition (with the frame table, the poster and the filmstrip), or voice (AAC of a voice-over, whose id is in the column of the
  -- video's).
  kind text not null,
  folder uuid not null,
  -- The key of the original, its declared type and its size.
  key text not null,
  type text not null,
  bytes int not null,
  state text not null default 'waiting' check (state in ('waiting', 'preparing', 'ready', 'refused')),
  progress real not null default 0,
  -- How often the job was claimed: the fencing token of its lease.
  taken int not null default 0,
  -- Tries that count toward the limit: those in progress, and those that failed because of the file.
  tries int not null default 0,
  -- How often the worker of this job was killed from outside.
  losses int not null default 0,
  -- Not to be claimed before this time; while it is being prepared, the end of the lease.
  due timestamptz not null default now(),
  -- Why it was refused, and for administrators how the last try failed.
  code text,
  error text,
  -- The media data, once the file was probed, and what was made of it.
  media jsonb,
  made jsonb,
  asked timestamptz not null default now(),
  ended timestamptz,
  primary key (video, kind)
);
alter table media_work add column if not exists taken int not null default 0;
alter table media_work add column if not exists losses int not null default 0;
-- For taking turns between owners: the owner (null in rows from before this column existed), and when the job was last claimed.
alter table media_work add column if not exists player uuid;
alter table media_work add column if not exists begun timestamptz;
-- CPU seconds of all tries together, including those that were killed from outside.
alter table media_work add column if not exists cpu_seconds real not null default 0;
-- The lane in which the job waits. Jobs from before there were lanes count as short until they turn out to be long.
alter table media_work add column if not exists long boolean not null default false;
-- The reason of an administrator who refused the video, for its player.
alter table media_work add column if not exists reason text;
create index if not exists media_work_player on media_work (player, begun);
create index if not exists media_work_waiting on media_work (due) where state in ('waiting', 'preparing');
create index if not exists media_work_folder on media_work (folder);

-- Webhooks that were accepted, by the provider's id, so that each is handled once.
create table if not exists stripe_notices (
  id text primary key,
  type text not null,
  received timestamptz not null
);

-- Referral codes, one per player.
create table if not exists referral_codes (
  code text primary key,
  player uuid not null unique references users on delete cascade
);

-- Phrases that instructors use often. They belong to the instructor and are deleted with the account; a review contains their text, not the
-- phrase.
create table if not exists phrases (
  id uuid primary key,
  instructor uuid not null references users on delete cascade,
  text text not null,
  kind text not null check (kind in ('technique', 'tip', 'drill', 'praise')),
  link text,
  written timestamptz not null
);
create index if not exists phrases_instructor on phrases (instructor, written);

-- Whether the demo is complete.
create table if not exists demo (done timestamptz not null);
