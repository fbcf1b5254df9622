-- Administrators search for parts of names and addresses. The extension comes with Postgres, and the owner of a database may create it.
create extension if not exists pg_trgm;
create index users_search on users using gin ((first_name || ' ' || last_name) gin_trgm_ops, username gin_trgm_ops);
create index guardians_search on guardians using gin (name gin_trgm_ops, email gin_trgm_ops);
