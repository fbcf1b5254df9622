import { globSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import type { Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tableOf } from '../../modules/kernel/projection.ts'
import { memoryStore } from '../../modules/kernel/stores/memory.ts'
import { projectionRunner } from '../../modules/readers/projection-runner.ts'
import { accountAndFamilyForAdmin, lettersForAdmin, personRecordsForAdmin } from '../../projections/admin-person-queries.ts'
import { pageOfFoundPeople, searchForAdmin } from '../../projections/admin-search-queries.ts'
import {
  approvalRequestOfAssignment,
  folderIdsWithPendingApproval,
  latestUnapprovedRequestsOfFolders,
  pendingApprovalRequestsOfPlayers,
} from '../../projections/approvals.ts'
import {
  assignmentIdsShowingVideo,
  countFinishedSessionsOfInstructor,
  countWaitingSessions,
  folderIdOfAssignment,
  instructorIdsOfPlayer,
  instructorsOfPlayers,
  openSessionsOf,
  pageOfFinishedSessionRowsOfInstructor,
  pageOfInstructorSessionsForExport,
  pageOfWaitingSessionRows,
  reviewAndQuestionOfSession,
  sessionsOfFolderOrPlayer,
  sessionsOfFolders,
  sessionsToDo,
  techniquePositionsOfPlayer,
  techniquePositionsOfSessions,
} from '../../projections/assignments.ts'
import { eventTypesInAuditLog, pageOfAuditEntries } from '../../projections/audit.ts'
import { oldSupportRequestIds, supportRequestCountOfPerson, unassignedVideos } from '../../projections/data-retention-queries.ts'
import {
  deletionObstaclesOf,
  hasGuardianObligations,
  mustKeepCard,
  paymentBlockingNewAssignments,
} from '../../projections/deletion-obstacles.ts'
import {
  countCurrentAndArchivedFolders,
  folderOf,
  foldersOfPlayer,
  foldersThatMayNeedAction,
  foldersWithIds,
  pageOfFolders,
  personJsonSql,
} from '../../projections/folders.ts'
import {
  ANONYMOUS_VIEWER,
  connectedOrFollowedInstructorsOf,
  findInstructors,
  instructorCardByInviteCode,
  instructorChecksAndAvailability,
  ownProfile,
  publicChecksSql,
  publicSlugs,
  visibleProfileBySlugOrId,
} from '../../projections/instructor-queries.ts'
import { modelClipsOf } from '../../projections/model-libraries.ts'
import { olderThanKeySql } from '../../projections/older-than-key-sql.ts'
import {
  deliveredCountAndShareCents,
  findPurchasesBySearchKeys,
  latestPurchases,
  pageOfPurchases,
  purchaseOf,
  purchaseOfOwner,
  purchasesOf,
} from '../../projections/package-purchases.ts'
import {
  countPayments,
  findPaymentsBySearchKeys,
  instructorEarningsTotals,
  isShareTakenBackSql,
  openAndLatestPaymentsOfPayer,
  openPayments,
  pageOfPaymentsOfOwner,
  pageOfSettledPaymentsOfPayer,
  paymentOf,
  paymentOfOwner,
  paymentsOfFamilyForAdmin,
  paymentsOfInstructor,
  paymentsOfPlayer,
  stuckPaymentIds,
} from '../../projections/payments.ts'
import { instructorIdOfPayoutAccount } from '../../projections/payout-account-owners.ts'
import {
  deliveredSessionsOfPlayer,
  deliveredSessionsOfSamePlayerAndInstructor,
  hasOpenOrDeliveredSession,
} from '../../projections/progress.ts'
import { publicRatingsOfInstructor, ratingOfSession, ratingSummarySql, ratingsForAdmin } from '../../projections/ratings.ts'
import { recordIdsOfPerson } from '../../projections/record-ids-of-person.ts'
import { medianResponseHoursSql, responseTimes } from '../../projections/response-times.ts'
import { folderStoryOf } from '../../projections/story.ts'
import {
  pageOfOwnSupportRequests,
  pageOfSupportRequests,
  supportRequestsByUrgency,
  supportRequestsOfUser,
  supportRequestWithSender,
} from '../../projections/support-requests.ts'
import { vettings } from '../../projections/vetting.ts'
import { pageOfInstructorVettings, vettingCounts, vettingOfInstructor } from '../../projections/vetting-queries.ts'
import { projections } from '../../src/server/module-registry.ts'
import { createTestDatabase } from '../support/postgres.ts'

const id = '0190a1b2-0000-7000-8000-000000000001'
const now = new Date()

const anyPerson = (['player', 'instructor', 'guardian'] as const).map(kind => ({
  id,
  kind,
  name: 'Ana',
  email: 'a@example.com',
  ...{ phone: null, born: null, picture: null },
  registered: now.toISOString(),
  guardians: [],
  children: [],
}))

const searchKeys = { range: [id, id] as [string, string], idEnd: '0190a1b2', people: [id], folders: [id] }
const after: [boolean, string, string] = [true, now.toISOString(), id]

/** Every query of every read model, with every parameter: Postgres checks the columns even if the tables are empty. */
const queries = new Map<unknown, (sql: Sql) => PromiseLike<unknown>>([
  [pageOfInstructorVettings, sql => pageOfInstructorVettings(sql, 'pending', 'ana_', now, { after, limit: 5 })],
  [vettingOfInstructor, sql => vettingOfInstructor(sql, id, now)],
  [vettingCounts, vettingCounts],
  [
    findInstructors,
    sql =>
      Promise.all(
        [{}, { name: 'Zoë Q', sport: 'softball', skill: 'catching', after }].map(search =>
          findInstructors(sql, ANONYMOUS_VIEWER, now, { ...search, limit: 5 }),
        ),
      ),
  ],
  [publicSlugs, sql => publicSlugs(sql, now)],
  [instructorChecksAndAvailability, sql => instructorChecksAndAvailability(sql, id, now)],
  [publicChecksSql, sql => sql`select ${publicChecksSql(sql, now)} from ${sql(tableOf(vettings))} v`],
  [instructorCardByInviteCode, sql => instructorCardByInviteCode(sql, 'ABCD2345', ANONYMOUS_VIEWER, now)],
  [connectedOrFollowedInstructorsOf, sql => connectedOrFollowedInstructorsOf(sql, { id, isMinor: true }, now)],
  [ownProfile, sql => ownProfile(sql, id, now)],
  [visibleProfileBySlugOrId, sql => visibleProfileBySlugOrId(sql, 'ana', { id, isMinor: true, isAdmin: false }, now)],
  [
    pageOfAuditEntries,
    sql =>
      pageOfAuditEntries(
        sql,
        { type: 'A', stream: 'a-1', actor: 'system', person: id, folder: id, from: now.toISOString(), to: now.toISOString(), before: '9' },
        5,
      ),
  ],
  [pendingApprovalRequestsOfPlayers, sql => pendingApprovalRequestsOfPlayers(sql, [id], now)],
  [latestUnapprovedRequestsOfFolders, sql => latestUnapprovedRequestsOfFolders(sql, [id])],
  [approvalRequestOfAssignment, sql => approvalRequestOfAssignment(sql, id)],
  [
    folderIdsWithPendingApproval,
    sql => Promise.all([folderIdsWithPendingApproval(sql, 'player', id), folderIdsWithPendingApproval(sql, 'instructor', id)]),
  ],
  [eventTypesInAuditLog, sql => eventTypesInAuditLog(sql)],
  [personJsonSql, sql => sql`select ${personJsonSql(sql, sql`u.id`, 'u', 'i')} as who from users u left join instructors i on i.id = u.id`],
  [folderOf, sql => folderOf(sql, id)],
  [foldersOfPlayer, sql => foldersOfPlayer(sql, id)],
  [
    pageOfFolders,
    sql => Promise.all([true, false].map(isArchived => pageOfFolders(sql, id, { isArchived, before: [now.toISOString(), id], limit: 5 }))),
  ],
  [countCurrentAndArchivedFolders, sql => countCurrentAndArchivedFolders(sql, id)],
  [foldersThatMayNeedAction, sql => foldersThatMayNeedAction(sql, id, [], now)],
  [sessionsOfFolders, sql => sessionsOfFolders(sql, [id])],
  [instructorIdsOfPlayer, sql => instructorIdsOfPlayer(sql, id)],
  [assignmentIdsShowingVideo, sql => assignmentIdsShowingVideo(sql, { folder: id, video: id })],
  [instructorsOfPlayers, sql => instructorsOfPlayers(sql, [id], now)],
  [sessionsToDo, sql => sessionsToDo(sql, id, 5)],
  [pageOfWaitingSessionRows, sql => pageOfWaitingSessionRows(sql, id, { after: '9', limit: 5 })],
  [countWaitingSessions, sql => countWaitingSessions(sql, id)],
  [pageOfFinishedSessionRowsOfInstructor, sql => pageOfFinishedSessionRowsOfInstructor(sql, id, { before: '9', limit: 5 })],
  [countFinishedSessionsOfInstructor, sql => countFinishedSessionsOfInstructor(sql, id)],
  [foldersWithIds, sql => foldersWithIds(sql, [id])],
  [
    sessionsOfFolderOrPlayer,
    sql => Promise.all([sessionsOfFolderOrPlayer(sql, 'folder', id), sessionsOfFolderOrPlayer(sql, 'player', id)]),
  ],
  [reviewAndQuestionOfSession, sql => reviewAndQuestionOfSession(sql, id)],
  [deliveredSessionsOfPlayer, sql => Promise.all([deliveredSessionsOfPlayer(sql, id), deliveredSessionsOfPlayer(sql, id, id)])],
  [deliveredSessionsOfSamePlayerAndInstructor, sql => deliveredSessionsOfSamePlayerAndInstructor(sql, id)],
  [
    techniquePositionsOfPlayer,
    sql =>
      Promise.all(
        [{ before: null }, { before: now.toISOString(), instructor: id }].map(of => techniquePositionsOfPlayer(sql, { player: id, ...of })),
      ),
  ],
  [techniquePositionsOfSessions, sql => techniquePositionsOfSessions(sql, [id])],
  [hasOpenOrDeliveredSession, sql => Promise.all([hasOpenOrDeliveredSession(sql, id), hasOpenOrDeliveredSession(sql, id, id)])],
  [folderIdOfAssignment, sql => folderIdOfAssignment(sql, id)],
  [purchaseOf, sql => purchaseOf(sql, id, 'administrator')],
  [purchaseOfOwner, sql => purchaseOfOwner(sql, id, { payer: id, players: [id] })],
  [
    purchasesOf,
    sql =>
      Promise.all([purchasesOf(sql, { player: id }, { person: id }), purchasesOf(sql, { payer: id, players: [id] }, 'administrator', 5)]),
  ],
  [
    pageOfPurchases,
    sql => Promise.all([{ player: id }, { payer: id, players: [id] }].map(whose => pageOfPurchases(sql, whose, [now.toISOString(), id]))),
  ],
  [latestPurchases, sql => latestPurchases(sql, { player: id })],
  [pageOfFoundPeople, sql => pageOfFoundPeople(sql, 'ana', { after: ['Ana Diaz', id], limit: 5 })],
  [deliveredCountAndShareCents, sql => deliveredCountAndShareCents(sql, [id])],
  [accountAndFamilyForAdmin, sql => accountAndFamilyForAdmin(sql, id)],
  ...[personRecordsForAdmin, lettersForAdmin].map(
    query => [query, (sql: Sql) => Promise.all(anyPerson.map(person => query(sql, person, now)))] as const,
  ),
  [searchForAdmin, sql => Promise.all(['ana_', 'an', id, 'DL-261125-0190A1B2'].map(text => searchForAdmin(sql, text, now)))],
  [isShareTakenBackSql, sql => sql`select ${isShareTakenBackSql(sql)} from (select 1 as charged, 1 as refunded, 'lost' as dispute) p`],
  [findPaymentsBySearchKeys, sql => findPaymentsBySearchKeys(sql, searchKeys, 5, now)],
  [findPurchasesBySearchKeys, sql => findPurchasesBySearchKeys(sql, searchKeys, 5)],
  [paymentOf, sql => paymentOf(sql, id, 'administrator', now)],
  [paymentsOfPlayer, sql => paymentsOfPlayer(sql, id, now)],
  [paymentsOfFamilyForAdmin, sql => paymentsOfFamilyForAdmin(sql, id, [id], now)],
  [paymentsOfInstructor, sql => Promise.all([undefined, 5].map(most => paymentsOfInstructor(sql, id, { person: id }, now, most)))],
  [
    pageOfPaymentsOfOwner,
    sql =>
      Promise.all(
        [{ instructor: id }, { player: id }, { payer: id, players: [id] }].map(whose =>
          pageOfPaymentsOfOwner(sql, { whose, kind: 'open' }, now, { before: [now.toISOString(), id], limit: 5 }),
        ),
      ),
  ],
  [countPayments, sql => countPayments(sql, { whose: { player: id }, kind: 'any' })],
  [pageOfSettledPaymentsOfPayer, sql => pageOfSettledPaymentsOfPayer(sql, { player: id }, now)],
  [openAndLatestPaymentsOfPayer, sql => openAndLatestPaymentsOfPayer(sql, { player: id }, now)],
  [openPayments, sql => openPayments(sql, { player: id }, now)],
  [paymentOfOwner, sql => paymentOfOwner(sql, id, { payer: id, players: [id] }, now)],
  [instructorEarningsTotals, sql => instructorEarningsTotals(sql, id)],
  [paymentBlockingNewAssignments, sql => paymentBlockingNewAssignments(sql, id, now)],
  [mustKeepCard, sql => mustKeepCard(sql, id)],
  [stuckPaymentIds, sql => stuckPaymentIds(sql, now)],
  [instructorIdOfPayoutAccount, sql => instructorIdOfPayoutAccount(sql, 'acct_1')],
  [openSessionsOf, sql => openSessionsOf(sql, 'instructor', id)],
  [pageOfInstructorSessionsForExport, sql => pageOfInstructorSessionsForExport(sql, id, { after: '9', limit: 5 })],
  [ratingOfSession, sql => ratingOfSession(sql, id)],
  [ratingSummarySql, sql => sql`select ${ratingSummarySql(sql, sql`${id}::uuid`)} as rating`],
  [publicRatingsOfInstructor, sql => publicRatingsOfInstructor(sql, id)],
  [ratingsForAdmin, sql => ratingsForAdmin(sql, id)],
  [olderThanKeySql, sql => sql`select ${olderThanKeySql(sql, sql`now()`, sql`gen_random_uuid()`, [now.toISOString(), id])}`],
  [
    medianResponseHoursSql,
    sql => sql`select ${medianResponseHoursSql(sql)} as hours from ${sql(tableOf(responseTimes))} where given is not null`,
  ],
  [modelClipsOf, sql => modelClipsOf(sql, id)],
  [deletionObstaclesOf, sql => deletionObstaclesOf(sql, id, now)],
  [hasGuardianObligations, sql => hasGuardianObligations(sql, id)],
  [unassignedVideos, sql => Promise.all([{ before: now }, { before: now, player: id }].map(of => unassignedVideos(sql, of)))],
  [oldSupportRequestIds, sql => oldSupportRequestIds(sql, now)],
  [supportRequestCountOfPerson, sql => supportRequestCountOfPerson(sql, id)],
  [recordIdsOfPerson, sql => recordIdsOfPerson(sql, id, { types: ['FolderCreated'], ownStreams: ['payout'] })],
  [folderStoryOf, sql => folderStoryOf(sql, id, { sessions: [id], videos: [id] })],
  [supportRequestsOfUser, sql => supportRequestsOfUser(sql, id)],
  [pageOfOwnSupportRequests, sql => pageOfOwnSupportRequests(sql, id, { before: [now.toISOString(), id], limit: 5 })],
  [
    pageOfSupportRequests,
    sql =>
      Promise.all(
        (['waiting', 'done'] as const).map(list => pageOfSupportRequests(sql, list, { after: [true, 2, now.toISOString(), id], limit: 5 })),
      ),
  ],
  [supportRequestWithSender, sql => supportRequestWithSender(sql, id)],
  [supportRequestsByUrgency, sql => supportRequestsByUrgency(sql, 'new' as Parameters<typeof supportRequestsByUrgency>[1])],
])

let db: Awaited<ReturnType<typeof createTestDatabase>>
const testAbort = new AbortController()
beforeAll(async () => {
  db = await createTestDatabase()
  await projectionRunner(db.sql, memoryStore(), projections, { log: pino({ level: 'silent' }) }).start(testAbort.signal)
})
afterAll(async () => {
  testAbort.abort()
  await db.end()
})

test('every query reads only existing columns', async () => {
  const root = join(import.meta.dirname, '../../projections')
  for (const file of globSync('*.ts', { cwd: root })) {
    for (const [name, query] of Object.entries<unknown>(await import(join(root, file)))) {
      if (typeof query !== 'function') continue
      expect(queries.has(query), `${name} of projections/${file} is run here`).toBe(true)
      await Promise.resolve(queries.get(query)!(db.sql)).catch(error => expect.fail(`${name} of projections/${file}: ${error.message}`))
    }
  }
})
