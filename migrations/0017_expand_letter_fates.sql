-- The delivery status of each letter at its recipient's mail server, from the provider's webhooks.
create table letter_fates (
  letter text primary key,
  recipient_hash bytea not null,
  fate text not null,
  reason text,
  at timestamptz not null
);
comment on column letter_fates.letter is 'The id under which the letter was handed over: that of its errand, for a copy to the guardian with -guardian behind it';
comment on column letter_fates.recipient_hash is 'SHA-256 of the address in lower case: enough to find out whether letters to an address come back, and no address';
create index letter_fates_recipient on letter_fates (recipient_hash, at desc);
