-- What deleting a guardian's record leaves in the rows of their players, whichever release deletes it. The record's rows in guardianships
-- go with it, so the player's row keeps the fact that somebody had agreed: the "No" of a guardian who is named later deletes an account
-- only if nobody ever had. The name and the address must not stay, so they leave the columns for servers from before guardians had tables.
update users set guardian_name = null, guardian_email = null, guardian_confirmed = null
  where guardian_email is not null and not exists (select 1 from guardians g where g.email = lower(guardian_email));

alter table users add column deleted_guardian_agreed timestamptz;
comment on column users.deleted_guardian_agreed is 'When a guardian whose record was deleted since first agreed';

create function forget_guardian() returns trigger language plpgsql as $$
begin
  update users set deleted_guardian_agreed = least(deleted_guardian_agreed, s.agreed)
    from (select player, min(agreed) as agreed from guardianships where guardian = old.id and agreed is not null group by player) s
    where users.id = s.player;
  update users set guardian_name = null, guardian_email = null, guardian_confirmed = null
    where lower(guardian_email) = old.email and id in (select player from guardianships where guardian = old.id);
  return old;
end $$;
create trigger guardian_deleted before delete on guardians for each row execute function forget_guardian();
