import { existingAccountIds } from '../../../modules/accounts/account-registration-and-authentication.ts'
import { chainHead, chainProofsOf } from '../../../modules/audit/audit-chain-table.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { mediaJobQueue } from '../../../modules/media/media-job-queue.ts'
import { accountAndFamilyForAdmin, lettersForAdmin, personRecordsForAdmin } from '../../../projections/admin-person-queries.ts'
import { pageOfFoundPeople, searchForAdmin } from '../../../projections/admin-search-queries.ts'
import { eventTypesInAuditLog, pageOfAuditEntries } from '../../../projections/audit.ts'
import { deliveredCountAndShareCents, purchaseOf } from '../../../projections/package-purchases.ts'
import { paymentOf } from '../../../projections/payments.ts'
import { ratingsForAdmin } from '../../../projections/ratings.ts'
import { pageOfSupportRequests, supportRequestsByUrgency, supportRequestWithSender } from '../../../projections/support-requests.ts'
import { pageOfInstructorVettings, vettingCounts, vettingOfInstructor } from '../../../projections/vetting-queries.ts'
import type { AppDependencies } from '../../../src/api/app-dependencies.ts'
import { systemFigures } from '../../../src/api/system-figures.ts'
import {
  BUSIEST_INSTRUCTOR_ID,
  BUSIEST_PLAYER_ID,
  FOLDER_ID_OF_BUSIEST_PLAYER,
  GUARDIAN_ID_OF_BUSIEST_PLAYER,
  PURCHASE_ID,
  SESSION_ID_OF_BUSIEST_PLAYER,
  SUPPORT_REQUEST_ID,
} from '../large-installation-constants.ts'
import type { QueryMap } from './query-map-type.ts'

const A_DAY = { from: '2026-03-02T00:00:00Z', to: '2026-03-03T00:00:00Z' }

const person =
  (id: string): QueryMap[string] =>
  async (sql, now) => {
    const found = (await accountAndFamilyForAdmin(sql, id))!
    return Promise.all([personRecordsForAdmin(sql, found, now), lettersForAdmin(sql, found)])
  }

export const adminQueries: QueryMap = {
  'admin of 100,000 people: log': async sql => {
    const [{ events }] = await Promise.all([pageOfAuditEntries(sql, {}, 50), eventTypesInAuditLog(sql), chainHead(sql)])
    return chainProofsOf(
      sql,
      events.map(event => event.position),
    )
  },
  'admin: last page of the log': sql => pageOfAuditEntries(sql, { before: '60' }, 50),
  'admin: log of one kind': sql => pageOfAuditEntries(sql, { type: 'FeedbackGiven' }, 50),
  'admin: log of one kind, within a day': sql => pageOfAuditEntries(sql, { type: 'FeedbackGiven', ...A_DAY }, 50),
  'admin: log of a day': sql => pageOfAuditEntries(sql, A_DAY, 50),
  'admin: log of a folder': sql => pageOfAuditEntries(sql, { folder: FOLDER_ID_OF_BUSIEST_PLAYER }, 50),
  'admin: log of a stream': sql => pageOfAuditEntries(sql, { stream: `payment-${SESSION_ID_OF_BUSIEST_PLAYER}` }, 50),
  'admin: log of a person': sql => pageOfAuditEntries(sql, { person: BUSIEST_INSTRUCTOR_ID }, 50),
  'admin: log of an actor by address': sql => pageOfAuditEntries(sql, { actor: 'person42@example.com' }, 50),
  'admin: search for a name': (sql, now) => searchForAdmin(sql, 'First42 Last', now),
  'admin: search that finds 1,400 people': (sql, now) => searchForAdmin(sql, 'Last42', now),
  'admin: last people of that search': sql => pageOfFoundPeople(sql, 'Last42', { after: ['First90', BUSIEST_PLAYER_ID], limit: 20 }),
  'admin: search for an address': (sql, now) => searchForAdmin(sql, 'person4242@', now),
  'admin: search for an id': (sql, now) => searchForAdmin(sql, FOLDER_ID_OF_BUSIEST_PLAYER, now),
  'admin: search for a receipt': (sql, now) => searchForAdmin(sql, `DL-250602-${SESSION_ID_OF_BUSIEST_PLAYER.slice(-8)}`, now),
  'admin: a person': person(BUSIEST_INSTRUCTOR_ID),
  'admin: a player': person(BUSIEST_PLAYER_ID),
  'admin: a guardian': person(GUARDIAN_ID_OF_BUSIEST_PLAYER),
  'admin: instructors': (sql, now) =>
    Promise.all([pageOfInstructorVettings(sql, 'approved', undefined, now, { limit: 20 }), vettingCounts(sql)]),
  'admin: instructors by name': (sql, now) => pageOfInstructorVettings(sql, 'approved', 'first42', now, { limit: 20 }),
  'admin: an instructor': (sql, now) =>
    Promise.all([vettingOfInstructor(sql, BUSIEST_INSTRUCTOR_ID, now), ratingsForAdmin(sql, BUSIEST_INSTRUCTOR_ID)]),
  'admin: a payment and a package': (sql, now) =>
    Promise.all([
      paymentOf(sql, SESSION_ID_OF_BUSIEST_PLAYER, 'administrator', now),
      purchaseOf(sql, PURCHASE_ID, 'administrator'),
      deliveredCountAndShareCents(sql, [SESSION_ID_OF_BUSIEST_PLAYER]),
      existingAccountIds(sql)([BUSIEST_PLAYER_ID]),
    ]),
  'admin: waiting support requests': sql => pageOfSupportRequests(sql, 'waiting', { limit: 25 }),
  'admin: done support requests': sql => pageOfSupportRequests(sql, 'done', { limit: 25 }),
  'admin: open support requests': sql => supportRequestsByUrgency(sql, 'open'),
  'admin: a support request': sql => supportRequestWithSender(sql, SUPPORT_REQUEST_ID),
  'admin: videos being prepared': sql => mediaJobQueue(sql).queue(50),
  'admin: errands that were given up': sql => sql`select id from errands where failed is not null order by failed desc limit 200`,
  'admin: figures of the system': (sql, now) => {
    const readers = { status: async () => [] }
    const deps = { sql, store: memoryStore(), clock: () => now, readModels: readers, processes: readers }
    return systemFigures(deps as unknown as AppDependencies)
  },
}
