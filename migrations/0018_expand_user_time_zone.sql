-- The zone of the dates in letters to somebody, and of a minor's quiet hours; null until they choose one.
alter table users add column time_zone text;
