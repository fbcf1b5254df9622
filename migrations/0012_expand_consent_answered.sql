-- When a guardian gave the answer in `consent`, which decides how long the player's account is kept after a refusal. Null in rows from before
-- this column existed.
alter table guardianships add column answered timestamptz;
update guardianships set answered = now() where consent is not null;
