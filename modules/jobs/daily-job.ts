import type { Sql } from 'postgres'

/** A little less than a day, so that the job does not move on by the time that each run takes. */
const HOURS_BETWEEN_RUNS = 23

/** Whether this process is the one that does a daily job now: one process in a day is, however many start or ask. */
export async function claimDailyJob(sql: Sql, name: string): Promise<boolean> {
  const claimed = await sql`
    insert into job_runs (name, began) values (${name}, now())
    on conflict (name) do update set began = now() where job_runs.began < now() - ${HOURS_BETWEEN_RUNS} * interval '1 hour'
    returning name`
  return claimed.length > 0
}
