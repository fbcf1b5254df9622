alter table guardianships add column consent text check (consent in ('given', 'refused', 'withdrawn'));
comment on column guardianships.consent is 'The answer in the log (consent-<player>), for queries. Null: none yet, or agreed before the log knew of consent';
