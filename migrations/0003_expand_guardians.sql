-- Parents and guardians of players under 18. They have no password: a one-time link from a letter signs them in.
create table guardians (
  id uuid primary key,
  email text not null unique,
  name text not null,
  created timestamptz not null
);
comment on column guardians.email is 'In lower case';

create table guardianships (
  guardian uuid not null references guardians on delete cascade,
  player uuid not null references users on delete cascade,
  name text not null,
  since timestamptz not null,
  agreed timestamptz,
  until timestamptz,
  primary key (player, guardian, since)
);
comment on table guardianships is 'Whose guardian they are. A player has one at a time; earlier ones have an end';
comment on column guardianships.name is 'As the player named them; another child''s name for the same person is not this player''s to read';
comment on column guardianships.agreed is 'When this guardian first agreed; until then they see a first name and nothing else';
create unique index guardianships_current on guardianships (player) where until is null;
create index guardianships_guardian on guardianships (guardian);

-- A session belongs either to an account or to a guardian.
alter table sessions alter column owner drop not null;
alter table sessions add column guardian uuid references guardians on delete cascade;
create index sessions_guardian on sessions (guardian);

alter table links add column guardian uuid references guardians on delete cascade;
alter table recoveries drop constraint recoveries_kind_check;

-- Until now, guardians were three columns of their player. Servers of the previous release still write these, and a rollback must remain
-- possible, so a later release drops them. Until then this trigger copies what those servers write, and the existing values.
create function take_over_guardian() returns trigger language plpgsql as $$
declare its uuid;
begin
  insert into guardians (id, email, name, created)
    values (gen_random_uuid(), lower(new.guardian_email), coalesce(new.guardian_name, ''), new.created) on conflict (email) do nothing;
  select id into its from guardians where email = lower(new.guardian_email);
  update guardianships set until = now() where player = new.id and until is null and guardian <> its;
  update guardianships set name = coalesce(new.guardian_name, ''), agreed = coalesce(agreed, new.guardian_confirmed)
    where player = new.id and until is null;
  if not found then
    insert into guardianships (guardian, player, name, since, agreed)
      values (its, new.id, coalesce(new.guardian_name, ''), case when tg_op = 'INSERT' then new.created else now() end, new.guardian_confirmed);
  end if;
  return null;
end $$;
create trigger guardian_named after insert or update of guardian_name, guardian_email, guardian_confirmed on users for each row
  when (new.role = 'player' and new.guardian_email is not null) execute function take_over_guardian();
update users set guardian_email = guardian_email where guardian_email is not null;
