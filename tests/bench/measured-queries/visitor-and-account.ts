import type { Sql, TransactionSql } from 'postgres'
import {
  hasAdmin,
  isAdminRegistrationLinkUsable,
  isEmailOfAccount,
  loadUser,
} from '../../../modules/accounts/account-registration-and-authentication.ts'
import {
  assertEmailFree,
  deleteCredentialChangeLinks,
  hasCommandChangedAccount,
  pendingEmailOf,
} from '../../../modules/accounts/credential-changes.ts'
import { findEmailedLink } from '../../../modules/accounts/emailed-links.ts'
import { consentRequestOfLink } from '../../../modules/accounts/guardian-tables.ts'
import { isKnownDevice } from '../../../modules/accounts/known-devices-for-login-limit.ts'
import { loginSessions } from '../../../modules/accounts/login-sessions.ts'
import { playerTraitsOf } from '../../../modules/accounts/player-traits-table.ts'
import { resetLinkOwnerForPasswordCheck } from '../../../modules/accounts/recovery.ts'
import { accountTimeZoneOf } from '../../../modules/accounts/stored-time-zones.ts'
import {
  instructorIdByInviteCode,
  isConnectedOrFollowing,
  isProfileComplete,
} from '../../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { memoryStore } from '../../../modules/kernel/stores/memory.ts'
import { isAddressUndeliverable } from '../../../modules/letters/letter-delivery-table.ts'
import { findOrCreateLetterPreferences } from '../../../modules/letters/letter-preferences-table.ts'
import { tokenHash } from '../../../modules/secret-tokens.ts'
import { findReviewByLinkHash } from '../../../modules/sharing/review-links.ts'
import {
  ANONYMOUS_VIEWER,
  findInstructors,
  instructorCardByInviteCode,
  publicSlugs,
  visibleProfileBySlugOrId,
} from '../../../projections/instructor-queries.ts'
import { publicRatingsOfInstructor } from '../../../projections/ratings.ts'
import { deletionObstacle } from '../../../src/api/account-deletion.ts'
import {
  ADMIN_ID,
  ADULT_PLAYER_ID,
  BUSIEST_INSTRUCTOR_ID,
  BUSIEST_PLAYER_EMAIL,
  BUSIEST_PLAYER_ID,
  INVITE_CODE,
} from '../large-installation-constants.ts'
import type { QueryMap } from './query-map-type.ts'

const VIEWER = { id: BUSIEST_PLAYER_ID, isMinor: true, isAdmin: false }

/** Runs the queries with which every signed-in request begins, and the query for the list of devices on the account page. */
async function signIns(sql: Sql, now: Date) {
  const sessions = loginSessions(sql, () => now)
  await Promise.all([sessions.find('sign-in5000'), sessions.findGuardian('family0'), sessions.of(BUSIEST_PLAYER_ID)])
  await sessions.stop()
}

/** Queries of screens that visitors and all signed-in people see. */
export const visitorAndAccountQueries: QueryMap = {
  'anyone: list of instructors': (sql, now) => findInstructors(sql, ANONYMOUS_VIEWER, now, { limit: 24 }),
  'anyone: last page of instructors': (sql, now) =>
    findInstructors(sql, ANONYMOUS_VIEWER, now, { limit: 24, after: [false, '2025-01-04T10:00:00.000Z', BUSIEST_PLAYER_ID] }),
  'anyone: instructors by name': (sql, now) => findInstructors(sql, ANONYMOUS_VIEWER, now, { limit: 24, name: 'first42' }),
  'anyone: a profile': (sql, now) =>
    Promise.all([
      visibleProfileBySlugOrId(sql, 'person-0', ANONYMOUS_VIEWER, now),
      visibleProfileBySlugOrId(sql, 'former-42', VIEWER, now),
      publicRatingsOfInstructor(sql, BUSIEST_INSTRUCTOR_ID),
      isProfileComplete(sql, BUSIEST_INSTRUCTOR_ID),
      isConnectedOrFollowing(sql, BUSIEST_PLAYER_ID, BUSIEST_INSTRUCTOR_ID),
    ]),
  'anyone: an invitation': (sql, now) =>
    Promise.all([instructorCardByInviteCode(sql, INVITE_CODE, ANONYMOUS_VIEWER, now), instructorIdByInviteCode(sql, INVITE_CODE)]),
  'anyone: site map': (sql, now) => publicSlugs(sql, now),
  'anyone: a shared review': (sql, now) => findReviewByLinkHash(sql, tokenHash('review-link7'), now),
  'anyone: a link of a letter': (sql, now) =>
    Promise.all([
      findEmailedLink(sql, now, 'reset-password', 'link0'),
      resetLinkOwnerForPasswordCheck(sql, 'link0', now),
      consentRequestOfLink(sql, 'link2', now),
      isAdminRegistrationLinkUsable(sql, 'link1', now),
    ]),
  'anyone: signing up and in': (sql, now) =>
    Promise.all([isEmailOfAccount(sql, 'new@example.com'), isKnownDevice(sql, 'device5000', BUSIEST_PLAYER_EMAIL, now), hasAdmin(sql)]),
  'signed in: every request, and devices': signIns,
  'signed in: account': (sql, now) =>
    Promise.all([
      loadUser(sql, BUSIEST_PLAYER_ID, now),
      pendingEmailOf(sql, BUSIEST_PLAYER_ID, now),
      isAddressUndeliverable(sql, BUSIEST_PLAYER_EMAIL),
      accountTimeZoneOf(sql, BUSIEST_PLAYER_ID),
      playerTraitsOf(sql, BUSIEST_PLAYER_ID),
      findOrCreateLetterPreferences(sql, BUSIEST_PLAYER_ID),
    ]),
  'signed in: another email and password': (sql, now) =>
    Promise.all([
      assertEmailFree(sql, BUSIEST_PLAYER_ID, 'new@example.com', now),
      hasCommandChangedAccount(sql, 'errand7'),
      deleteCredentialChangeLinks(sql as unknown as TransactionSql, ADULT_PLAYER_ID),
    ]),
  'signed in: deletion of the account': (sql, now) => {
    const store = memoryStore()
    return Promise.all([
      deletionObstacle({ sql, store, clock: () => now }, BUSIEST_INSTRUCTOR_ID, { closingReason: null, due: null }),
      deletionObstacle({ sql, store, clock: () => now }, BUSIEST_PLAYER_ID, { closingReason: null, due: null }),
      deletionObstacle({ sql, store, clock: () => now }, ADMIN_ID, { closingReason: null, due: null }),
    ])
  },
}
