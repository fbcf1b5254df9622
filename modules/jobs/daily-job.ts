import type { Sql } from 'postgres'

/** A little less than a day, so that a run does not begin later every day by the duration of the run before. */
const HOURS_BETWEEN_RUNS = 23

/** Claims a daily job. @returns true for one process a day, however many processes start or call this: that one does the job */
export async function claimDailyJob(sql: Sql, name: string): Promise<boolean> {
  const claimed = await sql`
    insert into job_runs (name, began) values (${name}, now())
    on conflict (name) do update set began = now() where job_runs.began < now() - ${HOURS_BETWEEN_RUNS} * interval '1 hour'
    returning name`
  return claimed.length > 0
}
