-- The time zone of dates in letters to this person, and of a minor's quiet hours; null until they choose one.
alter table users add column time_zone text;
