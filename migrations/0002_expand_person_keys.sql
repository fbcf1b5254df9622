-- The keys that encrypt people's texts (docs/decisions/key-per-person.md). They are stored apart from the log, so that a backup of the log alone
-- reveals no texts.
create table person_keys (
  person uuid primary key,
  -- Null if the key was destroyed. The row stays, so that no later event creates a new key.
  key bytea,
  made timestamptz not null default now(),
  destroyed timestamptz
);

-- Notifies every process of a destroyed key, so that all of them forget it at once.
create function person_key_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('person_keys_changed', old.person::text);
  return null;
end $$;
create trigger person_key_changed after update or delete on person_keys for each row execute function person_key_changed();
