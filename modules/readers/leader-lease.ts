import { randomUUID } from 'node:crypto'
import type { Sql } from 'postgres'
import type { Logger } from '../kernel/logger-interface.ts'
import { createBackoffSleep, createInterruptibleSleep } from '../kernel/sleep.ts'
import { withDeadline } from '../kernel/with-deadline.ts'

/** How long a lease is valid without a heartbeat. Another process takes over from one that died after about this long at most. */
export const LEADER_LEASE_MS = 1500
const HEARTBEAT_MS = 500
const CHANNEL = 'leader_leases'

/** Gives work to one process at a time. */
export interface LeaderLease {
  /**
   * Starts `work` whenever this process becomes the leader. The signal that it receives is aborted when this process is no longer the
   * leader, or when `signal` is. Work that throws is started again. Resolves when the work has started, or immediately if this process
   * does not lead.
   */
  whileLeading(signal: AbortSignal, work: Work): Promise<void>
}
type Work = (leading: AbortSignal) => unknown

/** The lease of a process that shares its database with no other. */
export const alwaysHeldLeaderLease: LeaderLease = { whileLeading: async (signal, work) => void (await work(signal)) }

/**
 * Elects one of the processes that share a database. The lease saves work, but is no guarantee: two processes may think for a moment that
 * they lead, so the work itself must be safe in that case, through locked checkpoints or leases of its own. The leader sends its
 * heartbeats as notifications, so that the others notice its death without querying the database.
 */
export function leaderLease(sql: Sql, name: string, log: Logger) {
  const holder = randomUUID()
  const sleep = createInterruptibleSleep()
  const works = new Set<{ signal: AbortSignal; work: Work }>()
  let leading: AbortController | undefined
  let lastHeartbeatAt = Number.NEGATIVE_INFINITY
  let loop: Promise<void> | undefined

  async function begin({ signal, work }: { signal: AbortSignal; work: Work }, tenure: AbortSignal) {
    const ending = AbortSignal.any([signal, tenure])
    for (const wait = createBackoffSleep(ending); !ending.aborted; ) {
      try {
        return await work(ending)
      } catch (error) {
        if (ending.aborted) return
        log.error({ err: error }, "the leader's work could not be started; trying again")
        await wait()
      }
    }
  }

  /**
   * Takes the lease, or renews it. A lease that expires more than two lease durations from now was taken before the database's clock was
   * set back, so it does not count. @returns whether this process holds the lease
   */
  async function acquire(): Promise<boolean> {
    const held = await sql`
      with held as (
        insert into leader_leases as l (name, holder, expires) values (${name}, ${holder}, clock_timestamp() + ${LEADER_LEASE_MS} * interval '1 ms')
        on conflict (name) do update set holder = excluded.holder, expires = excluded.expires
        where l.holder = excluded.holder
          or not l.expires between clock_timestamp() and clock_timestamp() + ${2 * LEADER_LEASE_MS} * interval '1 ms'
        returning name
      )
      select pg_notify(${CHANNEL}, ${JSON.stringify({ name, holder })}) from held`
    return held.length > 0
  }

  /** Starts all work. @returns promises: `begun` when the work has started, `ended` when this process has lost or released the lease */
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
      const sentAt = performance.now()
      const leftMs = renewedAt + LEADER_LEASE_MS - sentAt
      // A process that was busy or suspended for longer than its lease no longer leads, whether or not another does.
      if (signal.aborted || leftMs <= 0) break
      const isHeld = await withDeadline(leftMs, acquire()).catch(() => null)
      if (isHeld === false) break
      if (isHeld) renewedAt = sentAt
    }
    leading = undefined
    tenure.abort()
    if (signal.aborted) await release().catch(error => log.info({ err: error }, 'the leader lease could not be released, so it expires'))
    else log.info({ name }, 'this process is no longer the leader')
  }

  const release = () => sql`
    with released as (delete from leader_leases where name = ${name} and holder = ${holder} returning name)
    select pg_notify(${CHANNEL}, ${JSON.stringify({ name, holder: null })}) from released`

  async function follow(signal: AbortSignal) {
    while (!signal.aborted) {
      sleep.reset()
      const silentMs = performance.now() - lastHeartbeatAt
      if (silentMs < LEADER_LEASE_MS) await sleep.sleep(LEADER_LEASE_MS - silentMs)
      else if (await acquire().catch(() => false)) await (await lead(signal)).ended
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
    /** Tries to become the leader until aborted. Resolves after the first try. */
    async start(signal: AbortSignal) {
      signal.addEventListener('abort', sleep.wake)
      await sql.listen(CHANNEL, payload => {
        const heartbeat = JSON.parse(payload) as { name: string; holder: string | null }
        if (heartbeat.name !== name || heartbeat.holder === holder) return
        lastHeartbeatAt = heartbeat.holder === null ? Number.NEGATIVE_INFINITY : performance.now()
        if (heartbeat.holder === null) sleep.wake()
      })
      const first = (await acquire()) ? await lead(signal) : undefined
      await first?.begun
      loop = (first?.ended ?? Promise.resolve()).then(() => follow(signal))
    },
    /** After the abort: resolves when this process has released its lease. */
    settled: async () => loop,
    isLeading: () => leading !== undefined,
  } satisfies LeaderLease & Record<string, unknown>
}
