import type { Sql } from 'postgres'
import { consentRefusalTime, currentGuardianWithConsentStatus, hasEarlierGuardianAgreed } from '../../../modules/accounts/guardians.ts'
import { payerOf, possiblePayersOf } from '../../../modules/accounts/payer.ts'
import { postgresStore } from '../../../modules/kernel/stores/postgres.ts'
import { mediaWorkQueue } from '../../../modules/media/media-work.ts'
import type { ObjectStore } from '../../../modules/media/object-store.ts'
import { videoUploads } from '../../../modules/media/uploads.ts'
import type { TimeAndId } from '../../../modules/pagination.ts'
import { countReferrals, referralCodeOf, referrerOf } from '../../../modules/rewards/referral-codes.ts'
import { reviewLinksOf } from '../../../modules/sharing/review-links.ts'
import { lastApprovalRequestsOf } from '../../../projections/approvals.ts'
import { sessionDetails, sessionsOf, sessionsOfFolders, techniquePositionsOf } from '../../../projections/assignments.ts'
import { countFolders, folderOf, foldersById, foldersThatMayNeedAction, pageOfFolders } from '../../../projections/folders.ts'
import { connectedInstructorsOf, instructorChecksAndAvailability } from '../../../projections/instructors.ts'
import { obligationsOf } from '../../../projections/obligations.ts'
import { latestPurchases, pageOfPurchases, purchaseOf } from '../../../projections/package-purchases.ts'
import {
  latestPayments,
  mustKeepCard,
  openPayments,
  pageOfSettledPayments,
  paymentOf,
  unsettledPaymentState,
} from '../../../projections/payments.ts'
import { progressOf } from '../../../projections/progress.ts'
import { ratingOf } from '../../../projections/ratings.ts'
import { supportRequestCountAndOldest, unassignedVideos } from '../../../projections/retention.ts'
import { storyOf } from '../../../projections/story.ts'
import { pageOfOwnSupportRequests } from '../../../projections/support.ts'
import { HEAVY_FOLDER, HEAVY_INSTRUCTOR, HEAVY_PLAYER, HEAVY_SESSION, HEAVY_VIDEO, PURCHASE } from '../large-installation.ts'
import type { Queries } from './queries.ts'

/** The sort keys of a folder and of a payment or package near the end of lists that begin with the newest. */
const LATE_FOLDER: TimeAndId = ['2025-06-01T00:30:00.000Z', HEAVY_FOLDER]
export const LATE_ROW: TimeAndId = ['2025-06-02T00:30:00.000Z', HEAVY_SESSION]

/** A list of folders with what each folder shows, as its player and their guardian see it. */
export async function listOfFolders(sql: Sql, player: string) {
  const [{ rows }] = await Promise.all([pageOfFolders(sql, player, { isArchived: false, limit: 24 }), countFolders(sql, player)])
  const later = await foldersThatMayNeedAction(sql, player, rows, new Date('2026-05-18T00:00:00Z'))
  const ids = [...rows, ...later].map(row => row.id)
  return Promise.all([sessionsOfFolders(sql, ids), lastApprovalRequestsOf(sql, ids), mediaWorkQueue(sql).of(videosOf(rows))])
}
const videosOf = (rows: { clips: { id: string }[] }[]) => rows.flatMap(row => row.clips.map(clip => clip.id))

/** A folder with its latest session, as its player and their guardian see it. */
export const wholeFolder = (sql: Sql, now: Date) =>
  Promise.all([
    folderOf(sql, HEAVY_FOLDER),
    sessionsOf(sql, 'folder', HEAVY_FOLDER),
    sessionDetails(sql, HEAVY_SESSION),
    lastApprovalRequestsOf(sql, [HEAVY_FOLDER]),
    ratingOf(sql, HEAVY_SESSION),
    instructorChecksAndAvailability(sql, HEAVY_INSTRUCTOR, now),
    mediaWorkQueue(sql).of([HEAVY_VIDEO]),
    storyOf(sql, HEAVY_FOLDER),
    postgresStore(sql).read(`folder-${HEAVY_FOLDER}`),
  ])

/** The list of uploads reads the database alone. */
const NO_OBJECTS = {} as ObjectStore

export const playerQueries: Queries = {
  'player with 300 folders: list of folders': sql => listOfFolders(sql, HEAVY_PLAYER),
  'player: last folders': sql => pageOfFolders(sql, HEAVY_PLAYER, { isArchived: false, before: LATE_FOLDER, limit: 24 }),
  'player: archived folders': sql => pageOfFolders(sql, HEAVY_PLAYER, { isArchived: true, limit: 24 }),
  'player: a folder': wholeFolder,
  'player: unfinished uploads to a folder': (sql, now) => videoUploads(sql, NO_OBJECTS, () => now).unfinished(HEAVY_FOLDER),
  'player: links to a review': (sql, now) => reviewLinksOf(sql, HEAVY_SESSION, now),
  'player: own instructors': (sql, now) => connectedInstructorsOf(sql, { id: HEAVY_PLAYER, isMinor: true }, now),
  'player: open bills': (sql, now) => openPayments(sql, { player: HEAVY_PLAYER }, now),
  'player: bills and packages': (sql, now) =>
    Promise.all([
      latestPayments(sql, { player: HEAVY_PLAYER }, now),
      latestPurchases(sql, { player: HEAVY_PLAYER }),
      payerOf(sql, HEAVY_PLAYER, now),
    ]),
  'player: last settled bills': (sql, now) => pageOfSettledPayments(sql, { player: HEAVY_PLAYER }, now, LATE_ROW),
  'player: last packages': sql => pageOfPurchases(sql, { player: HEAVY_PLAYER }, LATE_ROW),
  'player: a receipt': (sql, now) => Promise.all([paymentOf(sql, HEAVY_SESSION, now), purchaseOf(sql, PURCHASE)]),
  'player: before an assignment': (sql, now) =>
    Promise.all([
      unsettledPaymentState(sql, HEAVY_PLAYER, now),
      mustKeepCard(sql, HEAVY_PLAYER, [HEAVY_PLAYER]),
      possiblePayersOf(sql, HEAVY_PLAYER),
    ]),
  'player: progress': async sql => {
    const steps = await progressOf(sql, HEAVY_PLAYER)
    const folders = await foldersById(
      sql,
      steps.map(step => step.folder),
    )
    return Promise.all([techniquePositionsOf(sql, { player: HEAVY_PLAYER, before: null }), mediaWorkQueue(sql).of(videosOf(folders))])
  },
  'player: rewards': async sql => {
    const [code] = await Promise.all([referralCodeOf(sql, HEAVY_PLAYER), referrerOf(sql, HEAVY_PLAYER)])
    return countReferrals(sql, code)
  },
  'player: guardian': (sql, now) =>
    Promise.all([
      currentGuardianWithConsentStatus(sql, HEAVY_PLAYER),
      hasEarlierGuardianAgreed(sql, HEAVY_PLAYER),
      consentRefusalTime(sql, HEAVY_PLAYER, now),
    ]),
  'player: account and support': (sql, now) =>
    Promise.all([
      pageOfOwnSupportRequests(sql, HEAVY_PLAYER, { limit: 50 }),
      supportRequestCountAndOldest(sql, HEAVY_PLAYER),
      obligationsOf(sql, HEAVY_PLAYER),
      unassignedVideos(sql, { before: now, player: HEAVY_PLAYER }),
    ]),
}
