import type { Sql } from 'postgres'
import { isTransient } from '../kernel/transient-errors.ts'
import { withDeadline } from '../kernel/with-deadline.ts'

/** Where every movement of a checkpoint is notified. A process listens here only while somebody waits, as each notification wakes it. */
export const CHECKPOINT_MOVES_CHANNEL = 'checkpoints'
/** Where it is notified, seldom, that a checkpoint may have moved back. Every process listens, or it would believe what it knew before. */
export const CHECKPOINT_RESETS_CHANNEL = 'checkpoint_resets'
/** How long a process goes on listening after the last that waited: a screen asks several queries after each other. */
const LINGER_MS = 100

interface Waiter {
  check(): void
  /** Listens, and asks the database. */
  look(): Promise<void>
}

/**
 * How far each subscription is, as this process knows it: from its own work, and from the notifications of the process that reads for all. Commands
 * wait here until the read models have taken their events.
 */
export function reachedPositions(sql: Sql) {
  const positions = new Map<string, bigint>()
  const waiting = new Set<Waiter>()
  let resets: Promise<unknown> | undefined
  let moves: ReturnType<Sql['listen']> | undefined
  let lingering: NodeJS.Timeout | undefined
  /** Whether this process reads the log itself, and so knows without notifications. */
  let isReading = false

  const note = (reached: Iterable<readonly [name: string, position: bigint]>) => {
    for (const [name, position] of reached) if (position > (positions.get(name) ?? -2n)) positions.set(name, position)
    for (const { check } of [...waiting]) check()
  }
  const hear = (payload: string) => {
    const { names, position, isReset } = JSON.parse(payload) as { names: string[]; position: string; isReset?: boolean }
    if (isReset) for (const name of names) positions.delete(name)
    note(names.map(name => [name, BigInt(position)]))
  }
  const listenToResets = () => {
    resets ??= sql.listen(CHECKPOINT_RESETS_CHANNEL, hear).catch(() => {
      resets = undefined
    })
    return resets
  }
  const listenToMoves = async () => {
    clearTimeout(lingering)
    moves ??= sql.listen(CHECKPOINT_MOVES_CHANNEL, hear)
    await moves.catch(() => {
      moves = undefined
    })
  }
  const stopListening = () => {
    const listened = moves
    moves = undefined
    listened?.then(({ unlisten }) => unlisten()).catch(() => {})
  }

  async function look(names: string[]) {
    await Promise.all([listenToResets(), isReading || listenToMoves()])
    const rows = await sql`select name, coalesce(log_end, position)::text as position from checkpoints where name in ${sql(names)}`.catch(
      error => {
        if (!isTransient(error)) throw error
        return []
      },
    )
    note(rows.map(r => [r.name as string, BigInt(r.position)] as const))
  }
  const leave = (waiter: Waiter) => {
    waiting.delete(waiter)
    if (waiting.size) return
    clearTimeout(lingering)
    lingering = setTimeout(stopListening, LINGER_MS).unref()
  }

  return {
    /** Until the signal, this process reads the log itself. Resolves when it hears of checkpoints that move back. */
    async startReading(signal: AbortSignal) {
      isReading = true
      signal.addEventListener('abort', () => {
        isReading = false
        for (const { look } of waiting) look().catch(() => {})
      })
      await listenToResets()
    },
    /** Notes higher positions; a lower one than is known changes nothing. */
    note,
    get: (name: string) => positions.get(name),
    /** For a subscription that begins again further back. */
    forget: (name: string) => positions.delete(name),
    /**
     * Whether these subscriptions have taken everything up to a position, parked streams aside; waits for it, `timeoutMs` at most. Works in a
     * process that subscribes to nothing itself, too.
     */
    async reached(names: string[], position: bigint, timeoutMs: number): Promise<boolean> {
      const isReached = () => names.every(name => (positions.get(name) ?? -2n) >= position)
      if (position < 0n || isReached()) return true
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const waiter = { check: () => isReached() && resolve(true), look: () => look(names) }
      waiting.add(waiter)
      const lookAndWait = async () => {
        await waiter.look()
        return withDeadline(timeoutMs, promise).catch(() => false)
      }
      return Promise.race([promise, lookAndWait()]).finally(() => leave(waiter))
    },
  }
}
