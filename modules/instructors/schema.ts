/** Public profiles, who is connected to whom, and the pictures of everybody. Needs the tables of accounts. */
export const schema = `
create table if not exists instructors (
  id uuid primary key references users on delete cascade,
  slug text unique,
  sports text[] not null,
  skills text[] not null,
  about text not null default '',
  experience text not null default '',
  invite_code text not null unique,
  -- First on the landing page until then.
  featured_until timestamptz
);
-- Addresses that a profile had before: they lead to the one it has now.
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
`
