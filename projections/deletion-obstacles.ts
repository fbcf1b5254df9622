import type { Sql } from 'postgres'
import { addDays } from '../modules/dates.ts'
import { tableOf } from '../modules/kernel/projection.ts'
import { DAYS_TO_WAIT_FOR_FAILED_PAYMENT } from '../modules/privacy/policy.ts'
import { assignments } from './assignments.ts'
import { payments } from './payments.ts'

/** Counts of what a person has to settle with others before they can leave. */
export interface Obligations {
  /** A player's folders that are assigned to an instructor. */
  assigned: number
  /** A player's unpaid bills. */
  unpaid: number
  /** Payments, made or received, whose refund or dispute is undecided. */
  undecided: number
  /** An instructor's undelivered sessions, and how many of those are under review. */
  open: number
  reviewing: number
  /**
   * Payments for an instructor's feedback that have not reached the instructor. A payment that failed long ago does not count, because
   * otherwise a player who never pays could keep the instructor from leaving for good.
   */
  expected: number
}

export async function deletionObstaclesOf(sql: Sql, person: string, now: Date): Promise<Obligations> {
  const longAgo = addDays(now, -DAYS_TO_WAIT_FOR_FAILED_PAYMENT)
  const [row] = await sql<Obligations[]>`
    select a.*, p.*
    from (
      select count(*) filter (where player = ${person} and status in ('assigned', 'in-review'))::int as assigned,
        count(*) filter (where instructor = ${person} and status in ('assigned', 'in-review'))::int as open,
        count(*) filter (where instructor = ${person} and status = 'in-review')::int as reviewing
      from ${sql(tableOf(assignments))} where player = ${person} or instructor = ${person}
    ) a, (
      select count(*) filter (where player = ${person} and status <> 'paid')::int as unpaid,
        count(*) filter (where jsonb_array_length(refunding) > 0 or dispute = 'open')::int as undecided,
        count(*) filter (where instructor = ${person} and (status <> 'paid' and not (status = 'failed' and due <= ${longAgo})
          or status = 'paid' and transferred is null and refunded < charged and dispute is distinct from 'lost'))::int as expected
      from ${sql(tableOf(payments))} where player = ${person} or instructor = ${person}
    ) p`
  return row!
}

/**
 * Whether a guardian still has an open bill, an undecided refund or dispute, or an undelivered session that they pay for. An open bill does
 * not count if its player was deleted, because that deletion has waited for the payment long enough.
 */
export async function hasGuardianObligations(sql: Sql, guardian: string): Promise<boolean> {
  const rows = await sql`
    select 1 from ${sql(tableOf(payments))}
    where payer = ${guardian} and (jsonb_array_length(refunding) > 0 or dispute = 'open'
      or status <> 'paid' and exists (select 1 from users u where u.id = player))
    union all
    select 1 from ${sql(tableOf(assignments))} a join guardianships s on s.player = a.player and s.guardian = ${guardian}
    where a.status in ('assigned', 'in-review') and (s.until is null or a.assigned <= s.until) limit 1`
  return rows.length > 0
}

/**
 * Whether a card of this player or guardian is still needed: they have an unpaid bill, or agreed to pay for a session that is in progress or
 * unpaid. A guardian who agreed keeps paying after the player has turned 18, so the player's age does not matter.
 */
export async function mustKeepCard(sql: Sql, payer: string): Promise<boolean> {
  const rows = await sql`
    select 1 from ${sql(tableOf(payments))} where payer = ${payer} and status <> 'paid'
    union all
    select 1 from ${sql(tableOf(assignments))}
    where (guardian_payer = ${payer} or player = ${payer} and guardian_payer is null)
      and status in ('assigned', 'in-review', 'feedback-given') limit 1`
  return rows.length > 0
}

/** Why a player may not assign another folder: a failed or an overdue payment; null if neither exists. */
export async function paymentBlockingNewAssignments(sql: Sql, player: string, now: Date): Promise<'failed' | 'overdue' | null> {
  const [row] = await sql<{ state: 'failed' | 'overdue' }[]>`
    select case when due <= ${now} then 'overdue' else 'failed' end as state from ${sql(tableOf(payments))}
    where player = ${player} and (status = 'failed' or status = 'due' and due <= ${now}) order by due limit 1`
  return row?.state ?? null
}
