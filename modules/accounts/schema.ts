/** People, where they are signed in, and the one-time links that were sent to them. */
export const schema = `
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
  -- Id of the command that registered, so that a request repeated after a lost answer is not refused.
  command uuid not null unique,
  created timestamptz not null
);
create index if not exists users_phone on users (right(regexp_replace(phone, '\\D', '', 'g'), 10));

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

-- Whatever ends a session, every process hears of it.
create or replace function session_ended() returns trigger language plpgsql as $$
begin
  perform pg_notify('sessions_ended', old.id::text);
  return null;
end $$;
create or replace trigger session_deleted after delete on sessions for each row execute function session_ended();
create or replace trigger session_shortened after update on sessions for each row
  when (new.expires < old.expires or new.owner <> old.owner or new.token <> old.token) execute function session_ended();

-- Browsers that somebody signed in from: SHA-256 of the token in their cookie.
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
  -- SHA-256 of the token in the link, and the token itself until its letter has gone out.
  hash bytea not null unique,
  token text,
  owner uuid references users on delete cascade,
  -- Where the letter goes, if not to the owner.
  email text,
  expires timestamptz not null
);

-- What was asked for by people who could not sign in, until it is looked up: the asking is the same whoever asks.
create table if not exists recoveries (
  id uuid primary key,
  kind text not null check (kind in ('password', 'email')),
  asked jsonb not null,
  at timestamptz not null
);

-- a crash may forget who tried how often; a try costs no write to disk
create unlogged table if not exists limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
`
