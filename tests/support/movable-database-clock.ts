import type { Sql } from 'postgres'

/**
 * Gives a test database a clock that a test can set. The schema `public` gets functions `now()` and `clock_timestamp()` that are ahead of
 * Postgres's own, and connections that open from now on find them first. So everything that asks the database for the time follows the
 * test's clock: errands and leases, the times of events, default values, and jobs that run once a day. Between calls of `advanceClock`, the
 * clock runs at normal speed.
 */
export async function installMovableDatabaseClock(sql: Sql, startsAt: Date) {
  let aheadMs = startsAt.getTime() - Date.now()
  await sql.unsafe(`
    create table test_clock (ahead interval not null);
    insert into test_clock values ('0');
    create function now() returns timestamptz language sql stable as 'select pg_catalog.now() + ahead from public.test_clock';
    create function clock_timestamp() returns timestamptz language sql volatile as 'select pg_catalog.clock_timestamp() + ahead from public.test_clock';
    do $$
    declare c record;
    begin
      for c in
        select d.adrelid::regclass as its_table, a.attname from pg_attrdef d join pg_attribute a on (a.attrelid, a.attnum) = (d.adrelid, d.adnum)
        where pg_get_expr(d.adbin, d.adrelid) = 'now()'
      loop execute format('alter table %s alter column %I set default public.now()', c.its_table, c.attname); end loop;
      execute format('alter database %I set search_path = public, pg_catalog', current_database());
    end $$`)
  const set = async () => {
    await sql`update test_clock set ahead = ${aheadMs} * interval '1 ms'`
    // Wake the workers, which sleep until the next errand is due.
    await sql`select pg_notify('errands', '')`
  }
  await set()
  return {
    now: () => new Date(Date.now() + aheadMs),
    advanceClock(milliseconds: number) {
      aheadMs += milliseconds
      return set()
    },
  }
}
