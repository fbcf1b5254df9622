import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Logger } from '../kernel/logger.ts'
import { backoff, interruptibleSleep } from '../kernel/sleep.ts'
import { withDeadline } from '../kernel/with-deadline.ts'

/** How long a lease holds without a heartbeat, ms: after so long at most, another process takes over from one that died. */
export const LEADER_LEASE_MS = 1500
const HEARTBEAT_MS = 500
const CHANNEL = 'leader_leases'

/** Work of which one process at a time should do all. */
export interface LeaderLease {
  /**
   * Does the work whenever this process is the leader; the signal is aborted when it no longer is, or with `signal`. Work that fails is begun again.
   * Resolves when it has begun, or at once where another process leads.
   */
  whileLeading(signal: AbortSignal, work: Work): Promise<void>
}
type Work = (leading: AbortSignal) => unknown

/** For a process that has its database to itself. */
export const alwaysLeading: LeaderLease = { whileLeading: async (signal, work) => void (await work(signal)) }

/**
 * Elects one of all processes that share a database. The lease makes work cheaper and not safer: two processes may hold it for a moment, so the work
 * itself must bear that, by locked checkpoints and leases of its own. The leader's heartbeats are notifications, so that others wait for its death
 * without asking the database.
 */
export function leaderLease(sql: Sql, name: string, log: Logger) {
  const holder = randomUUID()
  const sleep = interruptibleSleep()
  const works = new Set<{ signal: AbortSignal; work: Work }>()
  let leading: AbortController | undefined
  let heardAt = Number.NEGATIVE_INFINITY
  let over: Promise<void> | undefined

  async function begin({ signal, work }: { signal: AbortSignal; work: Work }, tenure: AbortSignal) {
    const both = AbortSignal.any([signal, tenure])
    for (const wait = backoff(both); !both.aborted; ) {
      try {
        return await work(both)
      } catch (error) {
        if (both.aborted) return
        log.error({ err: error }, 'work of the leader did not begin; trying again')
        await wait()
      }
    }
  }

  /** Takes the lease, or renews it. @returns whether this process holds it */
  async function hold(): Promise<boolean> {
    const held = await sql`
      with held as (
        insert into leader_leases as l (name, holder, expires) values (${name}, ${holder}, clock_timestamp() + ${LEADER_LEASE_MS} * interval '1 ms')
        on conflict (name) do update set holder = excluded.holder, expires = excluded.expires
        where l.holder = excluded.holder or l.expires < clock_timestamp()
        returning name
      )
      select pg_notify(${CHANNEL}, ${JSON.stringify({ name, holder })}) from held`
    return held.length > 0
  }

  /** Leads until the lease is lost, or this process ends and hands it over. */
  async function lead(signal: AbortSignal) {
    const tenure = new AbortController()
    leading = tenure
    const started = [...works].map(work => begin(work, tenure.signal))
    return { ended: keepLeading(signal, tenure), begun: Promise.all(started) }
  }

  async function keepLeading(signal: AbortSignal, tenure: AbortController) {
    let renewedAt = performance.now()
    while (!signal.aborted && performance.now() - renewedAt < LEADER_LEASE_MS) {
      sleep.reset()
      await sleep.sleep(HEARTBEAT_MS)
      const askedAt = performance.now()
      const leftMs = renewedAt + LEADER_LEASE_MS - askedAt
      // A process that was busy or suspended for longer than its lease no longer leads, whether or not another does.
      if (signal.aborted || leftMs <= 0) break
      const answer = await withDeadline(leftMs, hold()).catch(() => null)
      if (answer === false) break
      if (answer) renewedAt = askedAt
    }
    leading = undefined
    tenure.abort()
    if (signal.aborted) await release().catch(error => log.info({ err: error }, 'the lease of the leader runs out by itself'))
    else log.info({ name }, 'this process leads no longer')
  }

  const release = () => sql`
    with released as (delete from leader_leases where name = ${name} and holder = ${holder} returning name)
    select pg_notify(${CHANNEL}, ${JSON.stringify({ name, holder: null })}) from released`

  async function follow(signal: AbortSignal) {
    while (!signal.aborted) {
      sleep.reset()
      const silentMs = performance.now() - heardAt
      if (silentMs < LEADER_LEASE_MS) await sleep.sleep(LEADER_LEASE_MS - silentMs)
      else if (await hold().catch(() => false)) await (await lead(signal)).ended
      else await sleep.sleep(HEARTBEAT_MS)
    }
  }

  return {
    async whileLeading(signal, work) {
      const leaderWork = { signal, work }
      works.add(leaderWork)
      signal.addEventListener('abort', () => works.delete(leaderWork))
      if (leading) await begin(leaderWork, leading.signal)
    },
    /** Tries to become the leader, and goes on trying until aborted. Resolves after the first try. */
    async start(signal: AbortSignal) {
      signal.addEventListener('abort', sleep.wake)
      await sql.listen(CHANNEL, payload => {
        const heard = JSON.parse(payload) as { name: string; holder: string | null }
        if (heard.name !== name || heard.holder === holder) return
        heardAt = heard.holder === null ? Number.NEGATIVE_INFINITY : performance.now()
        if (heard.holder === null) sleep.wake()
      })
      const first = (await hold()) ? await lead(signal) : undefined
      await first?.begun
      over = (first?.ended ?? Promise.resolve()).then(() => follow(signal))
    },
    /** After the abort: resolves when the lease is handed over. */
    settled: async () => over,
    isLeading: () => leading !== undefined,
  } satisfies LeaderLease & Record<string, unknown>
}
