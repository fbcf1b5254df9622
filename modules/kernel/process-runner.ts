import type { Sql } from 'postgres'
import { post } from './errands.ts'
import { type Following, following, type Poison, type Reader, settingUp } from './following.ts'
import type { Errand, Process } from './process.ts'
import type { EventStore } from './store.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list holds processes over different events
type AnyProcess = Process<any>

const checkpointOf = (p: AnyProcess) => `process ${p.name}`

/** Runs processes: what each answers to an event goes into the outbox in the transaction that moves its checkpoint. */
export function processRunner(sql: Sql, store: EventStore, processes: AnyProcess[], options: Following) {
  const readers = following(sql, store, options)
  const names = processes.map(checkpointOf)
  const reader = (p: AnyProcess): Reader => ({
    name: checkpointOf(p),
    apply: (tx, events) => post(tx, events.flatMap(e => p.on[e.type]?.(e as never) ?? []) as Errand[]),
  })
  return {
    /** Follows until aborted. The outbox's `schema` must have been run. */
    async start(signal: AbortSignal) {
      await settingUp(sql, async tx => {
        for (const name of names) await tx`insert into checkpoints (name) values (${name}) on conflict do nothing`
      })
      await readers.start(names, signal)
      for (const p of processes) readers.join(reader(p), signal)
    },
    /** Whether every process has answered everything up to a position; waits until they have, `timeoutMs` at most. */
    caughtUp: (position: bigint, timeoutMs = 2000) => readers.caughtUp(names, position, timeoutMs),
    /** How each stands, for the admin. */
    async status(): Promise<{ name: string; position: bigint; poison: Poison | null }[]> {
      const rows = await sql`select name, position::text, poison from checkpoints where name in ${sql(names)} order by name`
      return rows.map(r => ({ name: r.name.slice('process '.length), position: BigInt(r.position), poison: r.poison }))
    },
  }
}
