create table review_links (
  id uuid primary key,
  hash bytea not null unique,
  player uuid not null references users on delete cascade,
  guardian uuid references guardians on delete cascade,
  folder uuid not null,
  session uuid not null,
  name text not null,
  created timestamptz not null,
  expires timestamptz not null,
  opens integer not null default 0,
  opened timestamptz
);
create index review_links_session on review_links (session);
create index review_links_player on review_links (player);
comment on table review_links is 'Private links that show one delivered review to whoever has them. Only the hash of the secret is kept';
comment on column review_links.guardian is 'Who made the link for a minor. Null: the player, who was of age';
