import type { Sql } from 'postgres'
import { isTransient } from '../kernel/transient-errors.ts'
import { withDeadline } from '../kernel/with-deadline.ts'

/**
 * The position of each subscription as this process knows it: from its own work, and from `NOTIFY checkpoints` of other processes. A query waits
 * here until its read models have processed the events that the browser knows of.
 */
export function reachedPositions(sql: Sql) {
  const positions = new Map<string, bigint>()
  const waiting = new Set<() => void>()
  let listening: Promise<unknown> | undefined

  const note = (reached: Iterable<readonly [name: string, position: bigint]>) => {
    for (const [name, position] of reached) if (position > (positions.get(name) ?? -2n)) positions.set(name, position)
    for (const check of [...waiting]) check()
  }
  const listen = () => {
    listening ??= sql
      .listen('checkpoints', payload => {
        const { names, position, isReset } = JSON.parse(payload) as { names: string[]; position: string; isReset?: boolean }
        if (isReset) for (const name of names) positions.delete(name)
        note(names.map(name => [name, BigInt(position)]))
      })
      .catch(() => {
        listening = undefined
      })
    return listening
  }

  return {
    listen,
    /** Records positions; one that is lower than the known position changes nothing. */
    note,
    get: (name: string) => positions.get(name),
    /** Forgets the position of a subscription that starts again at an earlier one. */
    forget: (name: string) => positions.delete(name),
    /**
     * Waits until these subscriptions have processed all events up to a position, except parked streams. Works also in a process that has no
     * subscriptions itself. @returns false after `timeoutMs`
     */
    async reached(names: string[], position: bigint, timeoutMs: number): Promise<boolean> {
      const isReached = () => names.every(name => (positions.get(name) ?? -2n) >= position)
      if (position < 0n || isReached()) return true
      await listen()
      const rows = await sql`select name, coalesce(log_end, position)::text as position from checkpoints where name in ${sql(names)}`.catch(
        error => {
          if (!isTransient(error)) throw error
          return []
        },
      )
      note(rows.map(r => [r.name as string, BigInt(r.position)] as const))
      if (isReached()) return true
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const check = () => {
        if (isReached()) resolve(true)
      }
      waiting.add(check)
      return withDeadline(timeoutMs, promise)
        .catch(() => false)
        .finally(() => waiting.delete(check))
    },
  }
}
