-- Whoever registered with a player's referral code keeps the promised discount when that player's account is deleted, whichever release
-- deletes it. So the code stays, without its player. Earlier releases read such a code like an unknown one.
alter table referral_codes alter column player drop not null, drop constraint referral_codes_player_fkey,
  add constraint referral_codes_player_fkey foreign key (player) references users on delete set null;
comment on column referral_codes.player is 'Null once the account of the player has been deleted';
