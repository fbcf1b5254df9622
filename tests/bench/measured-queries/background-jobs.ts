import { foldersWithPendingApproval } from '../../../projections/approvals.ts'
import { folderOfAssignment, sessionsOfInstructor, sessionsToHandBack } from '../../../projections/assignments.ts'
import { foldersOfPlayer } from '../../../projections/folders.ts'
import { purchasesOf } from '../../../projections/package-purchases.ts'
import { paymentsOfInstructor, paymentsOfPlayer, stuckPayments } from '../../../projections/payments.ts'
import { instructorOfAccount } from '../../../projections/payout-account-owners.ts'
import { personalRecordIdsOf } from '../../../projections/personal-records.ts'
import { oldSupportRequests, unassignedVideos } from '../../../projections/retention.ts'
import { supportRequestsOf } from '../../../projections/support.ts'
import { BUSIEST_INSTRUCTOR, BUSIEST_PLAYER, SESSION_OF_BUSIEST_PLAYER } from '../large-installation.ts'
import type { Queries } from './queries.ts'

/** Queries of errands, which follow what people do on screens. */
export const errandQueries: Queries = {
  'deletion of an instructor: open sessions': sql => sessionsToHandBack(sql, BUSIEST_INSTRUCTOR),
  'suspension of an instructor: requests for approval': sql => foldersWithPendingApproval(sql, 'instructor', BUSIEST_INSTRUCTOR),
  'withdrawal of consent: requests for approval': sql => foldersWithPendingApproval(sql, 'player', BUSIEST_PLAYER),
  'export of an instructor: last sessions': sql => sessionsOfInstructor(sql, BUSIEST_INSTRUCTOR, { after: '4900', limit: 100 }),
  'export of a player: folders, payments and requests': (sql, now) =>
    Promise.all([
      foldersOfPlayer(sql, BUSIEST_PLAYER),
      paymentsOfPlayer(sql, BUSIEST_PLAYER, now),
      purchasesOf(sql, { player: BUSIEST_PLAYER }),
      supportRequestsOf(sql, BUSIEST_PLAYER),
    ]),
  'deletion of a person: their records': sql =>
    personalRecordIdsOf(sql, BUSIEST_PLAYER, { types: ['FolderCreated', 'FeedbackGiven'], ownStreams: ['payout'] }),
  'webhook of the payment provider: owner of an account': sql => instructorOfAccount(sql, 'acct_0'),
  'sweep of the object store: folder of a voice-over': sql => folderOfAssignment(sql, SESSION_OF_BUSIEST_PLAYER),
}

/** Queries that may scan a whole table: an export reads all rows of a person at once, and scheduled jobs run once an hour or less. */
export const scanningQueries: Queries = {
  'export of an instructor: payments': (sql, now) => paymentsOfInstructor(sql, BUSIEST_INSTRUCTOR, now),
  'hourly: stuck payments': (sql, now) => stuckPayments(sql, now),
  'every 6 hours: expired videos and support requests': (sql, now) =>
    Promise.all([unassignedVideos(sql, { before: now }), oldSupportRequests(sql, now)]),
}
