-- Keys of people's words (docs/decisions/key-per-person.md). They lie apart from the log, so that a backup of the log alone shows no words.
create table person_keys (
  person uuid primary key,
  -- Null: it was destroyed. The row stays, so that no later event makes another.
  key bytea,
  made timestamptz not null default now(),
  destroyed timestamptz
);

-- Every process forgets a key at once that any of them has destroyed.
create function person_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('person_keys_changed', old.person::text);
  return null;
end $$;
create trigger person_key_changed after update or delete on person_keys for each row execute function person_key_changed();
