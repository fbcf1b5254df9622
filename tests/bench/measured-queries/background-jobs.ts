import { folderIdsWithPendingApproval } from '../../../projections/approvals.ts'
import {
  assignmentIdsShowingVideo,
  folderIdOfAssignment,
  instructorIdsOfPlayer,
  openSessionsOf,
  pageOfInstructorSessionsForExport,
} from '../../../projections/assignments.ts'
import { oldSupportRequestIds, unassignedVideos } from '../../../projections/data-retention-queries.ts'
import { foldersOfPlayer } from '../../../projections/folders.ts'
import { purchasesOf } from '../../../projections/package-purchases.ts'
import { paymentsOfInstructor, paymentsOfPlayer, stuckPaymentIds } from '../../../projections/payments.ts'
import { instructorIdOfPayoutAccount } from '../../../projections/payout-account-owners.ts'
import { recordIdsOfPerson } from '../../../projections/record-ids-of-person.ts'
import { supportRequestsOfUser } from '../../../projections/support-requests.ts'
import {
  BUSIEST_INSTRUCTOR_ID,
  BUSIEST_PLAYER_ID,
  FOLDER_ID_OF_BUSIEST_PLAYER,
  SESSION_ID_OF_BUSIEST_PLAYER,
  VIDEO_ID_OF_BUSIEST_PLAYER,
} from '../large-installation-constants.ts'
import type { QueryMap } from './query-map-type.ts'

/** Queries of errand handlers, webhooks and sweeps. The benchmark holds them to the same limit as the queries of screens. */
export const backgroundJobQueries: QueryMap = {
  'deletion of an instructor: open sessions': sql => openSessionsOf(sql, 'instructor', BUSIEST_INSTRUCTOR_ID),
  'suspension of an instructor: requests for approval': sql => folderIdsWithPendingApproval(sql, 'instructor', BUSIEST_INSTRUCTOR_ID),
  'withdrawal of consent: requests for approval': sql => folderIdsWithPendingApproval(sql, 'player', BUSIEST_PLAYER_ID),
  'export of an instructor: last sessions': sql =>
    pageOfInstructorSessionsForExport(sql, BUSIEST_INSTRUCTOR_ID, { after: '4900', limit: 100 }),
  'export of a player: folders, payments and requests': (sql, now) =>
    Promise.all([
      foldersOfPlayer(sql, BUSIEST_PLAYER_ID),
      paymentsOfPlayer(sql, BUSIEST_PLAYER_ID, now),
      purchasesOf(sql, { player: BUSIEST_PLAYER_ID }, { person: BUSIEST_PLAYER_ID }),
      supportRequestsOfUser(sql, BUSIEST_PLAYER_ID),
    ]),
  'deletion of a person: their records': sql =>
    recordIdsOfPerson(sql, BUSIEST_PLAYER_ID, { types: ['FolderCreated', 'FeedbackGiven'], ownStreams: ['payout'] }),
  'deletion of a player: their instructors': sql => instructorIdsOfPlayer(sql, BUSIEST_PLAYER_ID),
  'corrected capture rate: reviews that show the video': sql =>
    assignmentIdsShowingVideo(sql, { folder: FOLDER_ID_OF_BUSIEST_PLAYER, video: VIDEO_ID_OF_BUSIEST_PLAYER }),
  'webhook of the payment provider: owner of an account': sql => instructorIdOfPayoutAccount(sql, 'acct_0'),
  'sweep of the object store: folder of a voice-over': sql => folderIdOfAssignment(sql, SESSION_ID_OF_BUSIEST_PLAYER),
}

/** Queries that may scan a whole table: an export reads all of a person's rows at once, and scheduled jobs run at most once an hour. */
export const fullScanQueries: QueryMap = {
  'export of an instructor: payments': (sql, now) =>
    paymentsOfInstructor(sql, BUSIEST_INSTRUCTOR_ID, { person: BUSIEST_INSTRUCTOR_ID }, now),
  'hourly: stuck payments': (sql, now) => stuckPaymentIds(sql, now),
  'every 6 hours: expired videos and support requests': (sql, now) =>
    Promise.all([unassignedVideos(sql, { before: now }), oldSupportRequestIds(sql, now)]),
}
