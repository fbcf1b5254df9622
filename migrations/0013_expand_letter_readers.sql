-- Preferences of people and guardians for optional letters. The token is that of the unsubscribe links in these letters.
create table letter_readers (
  person uuid primary key,
  token text not null unique,
  reminders boolean not null default true
);
comment on column letter_readers.person is 'Of an account or of a guardian';
