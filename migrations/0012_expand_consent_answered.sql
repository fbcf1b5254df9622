-- When a guardian gave the answer in `consent`, which decides how long a refusal keeps the player's account. Null: before this was noted.
alter table guardianships add column answered timestamptz;
update guardianships set answered = now() where consent is not null;
