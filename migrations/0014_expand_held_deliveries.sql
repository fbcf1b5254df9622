create table held_deliveries (
  assignment uuid primary key,
  id uuid not null unique,
  folder uuid not null,
  instructor uuid not null,
  review jsonb,
  due timestamptz not null,
  taken timestamptz,
  refusal text
);
comment on table held_deliveries is 'Reviews that their instructors have delivered and can still undo. They leave this table for the log when they are due';
comment on column held_deliveries.taken is 'When a worker began to deliver it: from then on nobody can undo it';
comment on column held_deliveries.refusal is 'Why it could not be delivered when it was due; its review is in the draft';
