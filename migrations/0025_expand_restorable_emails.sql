-- Whether the former owner of an email address can still restore it, which every registration asks.
create index if not exists links_restorable_email on links (lower(email)) where kind = 'restore-email';
