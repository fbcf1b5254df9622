import type { Sql } from 'postgres'

/** Less than 24 hours, so that the start of the run does not drift later from day to day. */
const HOURS_BETWEEN_RUNS = 23

/**
 * Claims a daily job. A last run more than an hour in the future does not count: it began before the database's clock was set back.
 * @returns true for exactly one caller a day, across all processes; that caller runs the job
 */
export async function claimDailyJob(sql: Sql, name: string): Promise<boolean> {
  const claimed = await sql`
    insert into job_runs (name, began) values (${name}, now())
    on conflict (name) do update set began = now()
      where not job_runs.began between now() - ${HOURS_BETWEEN_RUNS} * interval '1 hour' and now() + interval '1 hour'
    returning name`
  return claimed.length > 0
}
