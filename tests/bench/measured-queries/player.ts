import type { Sql } from 'postgres'
import {
  currentGuardianWithConsentStatus,
  hasFormerGuardianAgreed,
  initialConsentRefusedAt,
} from '../../../modules/accounts/guardian-tables.ts'
import { currentAndFormerPayersOf, payerOf } from '../../../modules/accounts/payer.ts'
import { postgresStore } from '../../../modules/kernel/stores/postgres.ts'
import { mediaJobQueue } from '../../../modules/media/media-job-queue.ts'
import { videoUploads } from '../../../modules/media/multipart-video-uploads.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import type { TimeAndId } from '../../../modules/pagination.ts'
import { countReferralsForCode, findOrCreateReferralCode, referralOfUser } from '../../../modules/rewards/referral-codes-table.ts'
import { reviewLinksOf } from '../../../modules/sharing/review-links.ts'
import { latestUnapprovedRequestsOfFolders } from '../../../projections/approvals.ts'
import {
  reviewAndQuestionOfSession,
  sessionsOfFolderOrPlayer,
  sessionsOfFolders,
  techniquePositionsOfPlayer,
} from '../../../projections/assignments.ts'
import { supportRequestCountOfPerson, unassignedVideos } from '../../../projections/data-retention-queries.ts'
import { deletionObstaclesOf, mustKeepCard, paymentBlockingNewAssignments } from '../../../projections/deletion-obstacles.ts'
import {
  countCurrentAndArchivedFolders,
  folderOf,
  foldersThatMayNeedAction,
  foldersWithIds,
  pageOfFolders,
} from '../../../projections/folders.ts'
import { connectedOrFollowedInstructorsOf, instructorChecksAndAvailability } from '../../../projections/instructor-queries.ts'
import { latestPurchases, pageOfPurchases, purchaseOf } from '../../../projections/package-purchases.ts'
import { openAndLatestPaymentsOfPayer, openPayments, pageOfSettledPaymentsOfPayer, paymentOf } from '../../../projections/payments.ts'
import { deliveredSessionsOfPlayer } from '../../../projections/progress.ts'
import { ratingOfSession } from '../../../projections/ratings.ts'
import { folderStoryOf } from '../../../projections/story.ts'
import { pageOfOwnSupportRequests } from '../../../projections/support-requests.ts'
import {
  BUSIEST_INSTRUCTOR_ID,
  BUSIEST_PLAYER_ID,
  FOLDER_ID_OF_BUSIEST_PLAYER,
  PURCHASE_ID,
  SESSION_ID_OF_BUSIEST_PLAYER,
  VIDEO_ID_OF_BUSIEST_PLAYER,
} from '../large-installation-constants.ts'
import type { QueryMap } from './query-map-type.ts'

/** The sort keys of a folder and of a payment or package near the end of lists that begin with the newest. */
const LATE_FOLDER: TimeAndId = ['2025-06-01T00:30:00.000Z', FOLDER_ID_OF_BUSIEST_PLAYER]
export const SORT_KEY_NEAR_LIST_END: TimeAndId = ['2025-06-02T00:30:00.000Z', SESSION_ID_OF_BUSIEST_PLAYER]

/** Runs the queries for the list of a player's folders with what each folder shows, as the player and their guardian see it. */
export async function folderListWithDetails(sql: Sql, player: string) {
  const [{ rows }] = await Promise.all([
    pageOfFolders(sql, player, { isArchived: false, limit: 24 }),
    countCurrentAndArchivedFolders(sql, player),
  ])
  const later = await foldersThatMayNeedAction(sql, player, rows, new Date('2026-05-18T00:00:00Z'))
  const ids = [...rows, ...later].map(row => row.id)
  return Promise.all([sessionsOfFolders(sql, ids), latestUnapprovedRequestsOfFolders(sql, ids), mediaJobQueue(sql).of(videosOf(rows))])
}
const videosOf = (rows: { clips: { id: string }[] }[]) => rows.flatMap(row => row.clips.map(clip => clip.id))

/** Runs the queries for a folder with its latest session, as its player and their guardian see it. */
export const runFolderPageQueries = (sql: Sql, now: Date) =>
  Promise.all([
    folderOf(sql, FOLDER_ID_OF_BUSIEST_PLAYER),
    sessionsOfFolderOrPlayer(sql, 'folder', FOLDER_ID_OF_BUSIEST_PLAYER),
    reviewAndQuestionOfSession(sql, SESSION_ID_OF_BUSIEST_PLAYER),
    latestUnapprovedRequestsOfFolders(sql, [FOLDER_ID_OF_BUSIEST_PLAYER]),
    ratingOfSession(sql, SESSION_ID_OF_BUSIEST_PLAYER),
    instructorChecksAndAvailability(sql, BUSIEST_INSTRUCTOR_ID, now),
    mediaJobQueue(sql).of([VIDEO_ID_OF_BUSIEST_PLAYER]),
    folderStoryOf(sql, FOLDER_ID_OF_BUSIEST_PLAYER),
    postgresStore(sql).read(`folder-${FOLDER_ID_OF_BUSIEST_PLAYER}`),
  ])

/** Stands in for the object store, which the query for unfinished uploads never calls. */
const NO_OBJECTS = {} as ObjectStore

export const playerQueries: QueryMap = {
  'player with 300 folders: list of folders': sql => folderListWithDetails(sql, BUSIEST_PLAYER_ID),
  'player: last folders': sql => pageOfFolders(sql, BUSIEST_PLAYER_ID, { isArchived: false, before: LATE_FOLDER, limit: 24 }),
  'player: archived folders': sql => pageOfFolders(sql, BUSIEST_PLAYER_ID, { isArchived: true, limit: 24 }),
  'player: a folder': runFolderPageQueries,
  'player: unfinished uploads to a folder': (sql, now) => videoUploads(sql, NO_OBJECTS, () => now).unfinished(FOLDER_ID_OF_BUSIEST_PLAYER),
  'player: links to a review': (sql, now) => reviewLinksOf(sql, SESSION_ID_OF_BUSIEST_PLAYER, now),
  'player: own instructors': (sql, now) => connectedOrFollowedInstructorsOf(sql, { id: BUSIEST_PLAYER_ID, isMinor: true }, now),
  'player: open bills': (sql, now) => openPayments(sql, { player: BUSIEST_PLAYER_ID }, now),
  'player: bills and packages': (sql, now) =>
    Promise.all([
      openAndLatestPaymentsOfPayer(sql, { player: BUSIEST_PLAYER_ID }, now),
      latestPurchases(sql, { player: BUSIEST_PLAYER_ID }),
      payerOf(sql, BUSIEST_PLAYER_ID, now),
    ]),
  'player: last settled bills': (sql, now) => pageOfSettledPaymentsOfPayer(sql, { player: BUSIEST_PLAYER_ID }, now, SORT_KEY_NEAR_LIST_END),
  'player: last packages': sql => pageOfPurchases(sql, { player: BUSIEST_PLAYER_ID }, SORT_KEY_NEAR_LIST_END),
  'player: a receipt': (sql, now) =>
    Promise.all([
      paymentOf(sql, SESSION_ID_OF_BUSIEST_PLAYER, { person: BUSIEST_PLAYER_ID }, now),
      purchaseOf(sql, PURCHASE_ID, { person: BUSIEST_PLAYER_ID }),
    ]),
  'player: before an assignment': (sql, now) =>
    Promise.all([
      paymentBlockingNewAssignments(sql, BUSIEST_PLAYER_ID, now),
      mustKeepCard(sql, BUSIEST_PLAYER_ID),
      currentAndFormerPayersOf(sql, BUSIEST_PLAYER_ID),
    ]),
  'player: progress': async sql => {
    const steps = await deliveredSessionsOfPlayer(sql, BUSIEST_PLAYER_ID)
    const folders = await foldersWithIds(
      sql,
      steps.map(step => step.folder),
    )
    return Promise.all([
      techniquePositionsOfPlayer(sql, { player: BUSIEST_PLAYER_ID, before: null }),
      mediaJobQueue(sql).of(videosOf(folders)),
    ])
  },
  'player: rewards': async sql => {
    const [code] = await Promise.all([findOrCreateReferralCode(sql, BUSIEST_PLAYER_ID), referralOfUser(sql, BUSIEST_PLAYER_ID)])
    return countReferralsForCode(sql, code)
  },
  'player: guardian': (sql, now) =>
    Promise.all([
      currentGuardianWithConsentStatus(sql, BUSIEST_PLAYER_ID),
      hasFormerGuardianAgreed(sql, BUSIEST_PLAYER_ID),
      initialConsentRefusedAt(sql, BUSIEST_PLAYER_ID, now),
    ]),
  'player: account and support': (sql, now) =>
    Promise.all([
      pageOfOwnSupportRequests(sql, BUSIEST_PLAYER_ID, { limit: 50 }),
      supportRequestCountOfPerson(sql, BUSIEST_PLAYER_ID),
      deletionObstaclesOf(sql, BUSIEST_PLAYER_ID, now),
      unassignedVideos(sql, { before: now, player: BUSIEST_PLAYER_ID }),
    ]),
}
