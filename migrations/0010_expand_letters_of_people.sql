-- Administrators look up which letters a person was sent; a letter's errand names people, sessions, payments and requests by id.
create index errands_letters on errands using gin (payload jsonb_path_ops) where kind like 'letter.%';
