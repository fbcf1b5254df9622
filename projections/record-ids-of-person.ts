import type { Sql } from 'postgres'
import { tableOf } from '../modules/kernel/projection.ts'
import type { RecordIdsOfPerson } from '../modules/privacy/account-exports-and-deletion-decider.ts'
import { approvals } from './approvals.ts'
import { assignments } from './assignments.ts'
import { audit } from './audit.ts'
import { folders } from './folders.ts'
import { purchases } from './package-purchases.ts'
import { payments } from './payments.ts'
import { supportRequests } from './support-requests.ts'

/** Which events of the log contain a person's texts. */
interface PersonalTextEventFilter {
  /** Types of events that contain text that people typed. */
  types: string[]
  /** Nouns of the streams whose id is a person's id and whose events contain such text. */
  ownStreams: string[]
}

/**
 * Ids of all records that read models hold about a person, which `PersonForgotten` makes them erase. Sessions include those that a guardian
 * was only asked to approve.
 */
export async function recordIdsOfPerson(sql: Sql, person: string, texts: PersonalTextEventFilter): Promise<RecordIdsOfPerson> {
  const ids = (rows: readonly { id: string }[]) => rows.map(row => row.id)
  const folderIds = ids(await sql<{ id: string }[]>`select folder as id from ${sql(tableOf(folders))} where player = ${person}`)
  const assignmentIds = ids(
    await sql<{ id: string }[]>`
      select assignment as id from ${sql(tableOf(assignments))} where player = ${person}
      union select assignment from ${sql(tableOf(approvals))} where player = ${person}`,
  )
  const requestIds = ids(await sql<{ id: string }[]>`select request as id from ${sql(tableOf(supportRequests))} where asker = ${person}`)
  const paymentIds = ids(await sql<{ id: string }[]>`select payment as id from ${sql(tableOf(payments))} where player = ${person}`)
  const purchaseIds = ids(await sql<{ id: string }[]>`select purchase as id from ${sql(tableOf(purchases))} where player = ${person}`)
  const streams = [
    ...folderIds.map(id => `folder-${id}`),
    ...requestIds.map(id => `request-${id}`),
    ...paymentIds.map(id => `payment-${id}`),
    ...purchaseIds.map(id => `purchase-${id}`),
    ...assignmentIds.map(id => `rating-${id}`),
    ...texts.ownStreams.map(noun => `${noun}-${person}`),
  ]
  // Old streams may spell ids in capital letters, because ids had no canonical spelling at first.
  const spellings = streams.flatMap(stream => [stream, stream.replace(/-.*/, id => id.toUpperCase())])
  const events = await sql<{ id: string }[]>`
    select id from ${sql(tableOf(audit))} where stream = any(${spellings}) and type = any(${texts.types}) order by position`
  return { folders: folderIds, assignments: assignmentIds, requests: requestIds, events: ids(events) }
}
