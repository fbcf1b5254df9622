import { forgetOldDevices } from '../../modules/accounts/known-devices-for-login-limit.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { deleteOldLetterDeliveries } from '../../modules/letters/letter-delivery-table.ts'
import { assignments } from '../../projections/assignments.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'

/**
 * Deletes rows that no longer have any effect: login sessions, devices, links, delivery statuses, limits and leases that have expired, and
 * the drafts and held deliveries of reviews that have been delivered or whose session has ended. Other scheduled jobs delete other things:
 * - "deleting data past its retention period" (`delete-data-past-retention.ts`) deletes what may only be kept for a limited time under the privacy policy.
 * - "pruning tables" (`prune-processed-rows.ts`) deletes finished errands and handled webhooks once a day, in batches.
 * - "sweeping everything" (`storage-sweeper.ts`) deletes files in the object store that nothing refers to.
 */
export async function deleteExpiredRows({ sql, clock }: Pick<AppDependencies, 'sql' | 'clock'>): Promise<void> {
  const now = clock()
  await sql`delete from sessions where expires < ${now}`
  await forgetOldDevices(sql, now)
  await sql`delete from links where expires < ${now}`
  await deleteOldLetterDeliveries(sql, now)
  await sql`delete from review_links where expires < ${now}`
  // A draft may have been saved after its assignment ended.
  await sql`
    delete from drafts d using ${sql(tableOf(assignments))} a where a.assignment = d.assignment and (a.status = 'ended' or a.given is not null)`
  await sql`
    delete from held_deliveries d using ${sql(tableOf(assignments))} a
    where a.assignment = d.assignment and (a.status = 'ended' or a.given is not null)`
  await sql`delete from limits where expire < ${now.getTime()}`
  await sql`delete from leader_leases where expires < now() - interval '1 day'`
}
