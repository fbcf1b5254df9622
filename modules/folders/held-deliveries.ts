import { isDeepStrictEqual } from 'node:util'
import type postgres from 'postgres'
import { v7 } from 'uuid'
import { enqueueErrands } from '../jobs/outbox.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { HeldDelivery, Review } from './contract.ts'

// The table `held_deliveries` holds each delivery while its instructor can still undo it; the log has no event for it yet. The database's
// clock decides when a delivery is due: from then on it can no longer be undone, and an errand performs it.

/** A held delivery, which an errand performs once it is due. */
export interface DueDelivery {
  id: string
  assignment: string
  folder: string
  instructor: string
  review: Review
}

/** The payload of the errand that performs a held delivery. */
export type HeldDeliveryErrandPayload = {
  delivery: string
  assignment: string
  /**
   * Ids of the session's videos that could be watched when the instructor pressed Deliver. Those that become ready afterward cost nothing.
   * Absent in errands that are older than this field.
   */
  watchable?: string[]
}

/** An SQL expression: the milliseconds left to undo a delivery, 0 once it is due. */
const millisecondsLeft = (sql: postgres.ISql) => sql`greatest(0, extract(epoch from due - clock_timestamp()) * 1000)::int`

/**
 * Holds a delivery for `ms` and schedules the errand that performs it. Repeating the call with the same review changes nothing while the
 * delivery is held; after a refusal, it starts a new delivery. `watchable`: see `HeldDeliveryErrandPayload`.
 * @returns the time in ms during which the delivery can still be undone
 * @throws CommandRefused if another review of the session is being delivered
 */
export function holdDelivery(sql: postgres.Sql, of: Omit<DueDelivery, 'id'>, ms: number, watchable?: string[]): Promise<number> {
  return sql.begin(async tx => {
    const { assignment, folder, instructor, review } = of
    const id = v7()
    const [held] = await tx<{ due: string }[]>`
      insert into held_deliveries (assignment, id, folder, instructor, review, due)
      values (${assignment}, ${id}, ${folder}, ${instructor}, ${tx.json(review as never)}, clock_timestamp() + ${ms} * interval '1 ms')
      on conflict (assignment) do update
        set id = excluded.id, review = excluded.review, due = excluded.due, taken = null, refusal = null
        where held_deliveries.refusal is not null
      returning due`
    if (held) {
      const payload = { delivery: id, assignment, ...(watchable && { watchable }) } satisfies HeldDeliveryErrandPayload
      await enqueueErrands(tx, [{ id, kind: 'feedback.deliver', payload, due: held.due }])
      return ms
    }
    const [there] = await tx<{ review: Review; left: number }[]>`
      select review, ${millisecondsLeft(tx)} as left
      from held_deliveries where assignment = ${assignment}`
    if (there && isDeepStrictEqual(there.review, review)) return there.left
    throw new CommandRefused(
      'Another version of this feedback is being delivered. Undo that delivery first, then deliver this one.',
      'delivering',
    )
  })
}

/** Undoes a delivery. @returns false if it is too late or there is none */
export async function undoDelivery(sql: postgres.Sql, assignment: string): Promise<boolean> {
  const undone = await sql`
    delete from held_deliveries
    where assignment = ${assignment} and taken is null and refusal is null and due > clock_timestamp() returning id`
  return undone.length > 0
}

/** Claims the delivery with this id, if it is due and was neither undone nor refused. From then on it cannot be undone. */
export async function endUndoAndGetDueDelivery(sql: postgres.Sql, id: string): Promise<DueDelivery | undefined> {
  const [row] = await sql<DueDelivery[]>`
    update held_deliveries set taken = coalesce(taken, clock_timestamp())
    where id = ${id} and refusal is null and due <= clock_timestamp() returning id, assignment, folder, instructor, review`
  return row
}

/** Ends a delivery that was refused when it was due. Its text is still in the draft; the studio shows the reason. */
export const recordHeldDeliveryRefusal = (sql: postgres.Sql, id: string, reason: string) =>
  sql`update held_deliveries set refusal = ${reason}, review = null where id = ${id}`

export const deleteHeldDelivery = (sql: postgres.Sql, assignment: string) =>
  sql`delete from held_deliveries where assignment = ${assignment}`

/**
 * An SQL condition: the delivery of this session can still be undone, or is being performed. The log may already have the feedback, because
 * the row is deleted only afterward.
 */
export const hasHeldDeliverySql = (sql: postgres.Sql, assignment: postgres.Fragment) =>
  sql`exists (select from held_deliveries h where h.assignment = ${assignment} and h.refusal is null)`

/** The deliveries of these sessions that are held or were refused, by assignment. */
export async function heldDeliveriesByAssignment(sql: postgres.Sql, assignments: string[]): Promise<Map<string, HeldDelivery>> {
  if (!assignments.length) return new Map()
  const rows = await sql<{ assignment: string; due: string; refusal: string | null; left: number }[]>`
    select assignment, due, refusal, ${millisecondsLeft(sql)} as left from held_deliveries where assignment = any(${assignments}::uuid[])`
  return new Map(
    rows.map(({ assignment, due, refusal, left }) => [
      assignment,
      refusal ? { until: null, undoMs: 0, refusal } : { until: due, undoMs: left, refusal },
    ]),
  )
}
