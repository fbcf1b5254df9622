import type { Sql } from 'postgres'
import { enqueueErrands } from '../jobs/outbox.ts'
import type { Errand, Process } from '../kernel/process.ts'
import { storableErrorText } from '../kernel/storable-error-text.ts'
import type { EventStore, RecordedEvent } from '../kernel/store.ts'
import { isDataError } from '../kernel/transient-errors.ts'
import type { Reader } from './deliver-batch.ts'
import { furthestReaderPosition } from './furthest-reader-position.ts'
import {
  advanceUnusedVersions,
  allVersionsCheckpointPattern,
  ensureProcessCheckpoint,
  processCheckpointName,
} from './process-version-checkpoints.ts'
import { type ParkedStream, parkedStreamsOf } from './read-parked-streams.ts'
import { withSchemaLock } from './schema-lock.ts'
import { type ReaderRunnerOptions, readerSubscriptions } from './subscriptions.ts'

// biome-ignore lint/suspicious/noExplicitAny: a list holds processes over different events
type AnyProcess = Process<any>

export interface EventProcessStatus {
  name: string
  position: bigint
  /**
   * Null unless the log was found to end before the process's checkpoint. Then the process is stopped until `resumeAfterTruncation`, and
   * this is the position at which the log ended.
   */
  logEnd: bigint | null
  /** How many streams it has parked, and the oldest of them. */
  parked: { count: number; streams: ParkedStream[] }
}

/** Runs processes: the errands that a process creates for an event go into the outbox in the transaction that moves its checkpoint. */
export function eventProcessRunner(sql: Sql, store: EventStore, processes: AnyProcess[], options: ReaderRunnerOptions) {
  const readers = readerSubscriptions(sql, store, options)
  const names = processes.map(processCheckpointName)
  /** The errands that a process creates for an event, with the trace id of the request that caused the event. */
  function answer(p: AnyProcess, e: RecordedEvent): Errand[] {
    const errands = [p.on[e.type]?.(e as never) ?? []].flat()
    const { trace } = e.meta
    if (errands.length) options.log.debug?.({ process: p.name, event: e.id, errands: errands.length, trace }, 'a process answers an event')
    return trace ? errands.map(errand => ({ ...errand, trace })) : errands
  }
  const answers = (p: AnyProcess, events: RecordedEvent[]) => events.flatMap(e => answer(p, e))
  const reader = (p: AnyProcess): Reader => ({
    name: processCheckpointName(p),
    apply: (tx, events) => enqueueErrands(tx, answers(p, events)),
  })
  const processNamed = (name: string) => {
    const found = processes.find(p => p.name === name)
    if (!found) throw new Error(`There is no process "${name}".`)
    return found
  }

  /**
   * Processes the skipped events of a parked stream and unparks it, or stores the error if an event fails again. Meanwhile, the locked
   * checkpoint keeps the process from reading later events of the stream.
   */
  const unpark = (p: AnyProcess, stream: string) =>
    sql.begin(async tx => {
      const name = processCheckpointName(p)
      await tx`update checkpoints set parked = gen_random_uuid() where name = ${name}`
      const [row] = await tx`select revision::text from parked where reader = ${name} and stream = ${stream}`
      if (!row) return
      try {
        const skipped = (await store.read(stream)).filter(e => e.revision >= BigInt(row.revision))
        await tx.savepoint(point => enqueueErrands(point, answers(p, skipped)))
        await tx`delete from parked where reader = ${name} and stream = ${stream}`
      } catch (error) {
        if (!isDataError(error)) throw error
        await tx`update parked set error = ${storableErrorText(error)}, code = ${readers.code} where reader = ${name} and stream = ${stream}`
      }
    })

  /** Retries the parked streams of a process. If several servers retry a stream, its errands are still posted only once. */
  async function retry(name: string) {
    const p = processNamed(name)
    for (const { stream } of await sql`select stream from parked where reader = ${processCheckpointName(p)} order by position`)
      await unpark(p, stream)
  }

  return {
    /** Follows the log until aborted. */
    async start(signal: AbortSignal) {
      await withSchemaLock(sql, async tx => {
        const now = `${await furthestReaderPosition(tx)}`
        for (const p of processes) await ensureProcessCheckpoint(tx, p, now)
      })
      await readers.whileLeading(signal, async leading => {
        await readers.start(names, leading)
        const untried = await readers.untried(names)
        for (const p of processes) {
          readers.join(reader(p), leading)
          if (untried.includes(processCheckpointName(p))) readers.retrying(leading, () => retry(p.name))
        }
      })
    },
    retry,
    /** Records which versions this server runs, and moves the checkpoints of versions that no server runs anymore. */
    advanceUnusedVersions: () => advanceUnusedVersions(sql, processes),
    /**
     * Resumes stopped processes, whose checkpoints are beyond the end of the restored log, from where the log ended when they were stopped.
     * Errands that they have already posted stay. Other versions of these processes are resumed, too. @returns the processes' names
     */
    resumeAfterTruncation: () =>
      sql.begin(async tx => {
        const moved = await tx`
          update checkpoints set position = log_end, log_end = null, parked = gen_random_uuid()
          where name ~ any(${processes.map(allVersionsCheckpointPattern)}::text[]) and log_end is not null returning name, position::text`
        for (const { name, position } of moved) await tx`delete from parked where reader = ${name} and position > ${position}::bigint`
        return processes.filter(p => moved.some(r => r.name === processCheckpointName(p))).map(p => p.name)
      }),
    /**
     * Waits until every process has handled all events up to a position, except parked streams, even if another server runs the processes.
     * @returns false after `timeoutMs`
     */
    caughtUp: (position: bigint, timeoutMs = 2000) => readers.caughtUp(names, position, timeoutMs),
    async status(): Promise<EventProcessStatus[]> {
      const [rows, parked] = await Promise.all([
        sql`select name, position::text, log_end::text from checkpoints where name in ${sql(names)} order by name`,
        parkedStreamsOf(sql, names),
      ])
      const processOf = new Map(processes.map(p => [processCheckpointName(p), p.name]))
      return rows.map(r => ({
        name: processOf.get(r.name)!,
        position: BigInt(r.position),
        logEnd: r.log_end === null ? null : BigInt(r.log_end),
        parked: parked.get(r.name) ?? { count: 0, streams: [] },
      }))
    },
  }
}
