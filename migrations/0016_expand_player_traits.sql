create table player_traits (
  player uuid primary key references users on delete cascade,
  bats text check (bats in ('right', 'left', 'switch')),
  throws text check (throws in ('right', 'left')),
  level text check (level in ('youth', 'middle-school', 'high-school', 'college', 'adult'))
);
comment on table player_traits is 'How players bat, throw and compete, as they say themselves: for their instructors';
