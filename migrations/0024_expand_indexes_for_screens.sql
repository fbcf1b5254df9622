-- How many friends have registered with a player's referral code.
create index if not exists users_referral_code on users (upper(trim(referral_code))) where referral_code is not null;
-- Whether there is an administrator, or another one.
create index if not exists users_admins on users (id) where role = 'admin';
-- The links that were emailed to an account or a guardian; also for deleting them with their owner.
create index if not exists links_owner on links (owner);
create index if not exists links_guardian on links (guardian);
-- The errands that have failed or are failing, for the administrators' figures.
create index if not exists errands_failing on errands (asked) where done is null and (failed is not null or error is not null);
