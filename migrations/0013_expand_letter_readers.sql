-- What people and guardians want of the letters that they can turn off. The token is that of the links to do so, in each such letter.
create table letter_readers (
  person uuid primary key,
  token text not null unique,
  reminders boolean not null default true
);
comment on column letter_readers.person is 'Of an account or of a guardian';
