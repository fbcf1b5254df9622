import { playerTraitsWithAgeOf } from '../../../modules/accounts/player-traits-table.ts'
import { heldDeliveriesByAssignment } from '../../../modules/folders/held-deliveries.ts'
import { draftOf } from '../../../modules/folders/review-drafts.ts'
import {
  inviteCodeOf,
  isConnectedWithInstructor,
  slugProblem,
} from '../../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { phrasesOf } from '../../../modules/phrases/phrase-table.ts'
import {
  countFinishedSessionsOfInstructor,
  countWaitingSessions,
  pageOfFinishedSessionRowsOfInstructor,
  pageOfWaitingSessionRows,
  sessionsOfFolderOrPlayer,
  sessionsToDo,
  techniquePositionsOfPlayer,
  techniquePositionsOfSessions,
} from '../../../projections/assignments.ts'
import { deletionObstaclesOf } from '../../../projections/deletion-obstacles.ts'
import { foldersWithIds } from '../../../projections/folders.ts'
import { ownProfile } from '../../../projections/instructor-queries.ts'
import { modelClipsOf } from '../../../projections/model-libraries.ts'
import { countPayments, instructorEarningsTotals, pageOfPaymentsOfOwner } from '../../../projections/payments.ts'
import {
  deliveredSessionsOfPlayer,
  deliveredSessionsOfSamePlayerAndInstructor,
  hasOpenOrDeliveredSession,
} from '../../../projections/progress.ts'
import { publicRatingsOfInstructor } from '../../../projections/ratings.ts'
import { folderStoryOf } from '../../../projections/story.ts'
import {
  BUSIEST_INSTRUCTOR_ID,
  BUSIEST_PLAYER_ID,
  FOLDER_ID_OF_BUSIEST_PLAYER,
  SESSION_ID_OF_BUSIEST_PLAYER,
  VIDEO_ID_OF_BUSIEST_PLAYER,
  WAITING_SESSION_ID,
} from '../large-installation-constants.ts'
import { SORT_KEY_NEAR_LIST_END } from './player.ts'
import type { QueryMap } from './query-map-type.ts'

const OWN_PAYMENTS = { whose: { instructor: BUSIEST_INSTRUCTOR_ID }, kind: 'any' } as const

export const instructorQueries: QueryMap = {
  'instructor with 5,000 sessions: queue': async sql => {
    const [{ rows: delivered }, todo] = await Promise.all([
      pageOfFinishedSessionRowsOfInstructor(sql, BUSIEST_INSTRUCTOR_ID, { limit: 50 }),
      sessionsToDo(sql, BUSIEST_INSTRUCTOR_ID, 51),
      countWaitingSessions(sql, BUSIEST_INSTRUCTOR_ID),
      countFinishedSessionsOfInstructor(sql, BUSIEST_INSTRUCTOR_ID),
    ])
    const listed = [...todo, ...delivered].map(session => session.folder)
    return foldersWithIds(sql, listed)
  },
  'instructor: last page of waiting sessions': sql => pageOfWaitingSessionRows(sql, BUSIEST_INSTRUCTOR_ID, { after: '60', limit: 50 }),
  'instructor: last page of delivered sessions': sql =>
    pageOfFinishedSessionRowsOfInstructor(sql, BUSIEST_INSTRUCTOR_ID, { before: '60', limit: 50 }),
  'instructor: the studio': (sql, now) =>
    Promise.all([
      draftOf(sql, { assignment: WAITING_SESSION_ID, instructor: BUSIEST_INSTRUCTOR_ID }),
      heldDeliveriesByAssignment(sql, [WAITING_SESSION_ID]),
      playerTraitsWithAgeOf(sql, BUSIEST_PLAYER_ID, now),
      deliveredSessionsOfSamePlayerAndInstructor(sql, WAITING_SESSION_ID),
      phrasesOf(sql, BUSIEST_INSTRUCTOR_ID),
      modelClipsOf(sql, BUSIEST_INSTRUCTOR_ID),
      folderStoryOf(sql, FOLDER_ID_OF_BUSIEST_PLAYER, { sessions: [SESSION_ID_OF_BUSIEST_PLAYER], videos: [VIDEO_ID_OF_BUSIEST_PLAYER] }),
      isConnectedWithInstructor(sql, BUSIEST_PLAYER_ID, BUSIEST_INSTRUCTOR_ID),
    ]),
  'instructor: videos to compare with': async sql => {
    const sessions = await sessionsOfFolderOrPlayer(sql, 'player', BUSIEST_PLAYER_ID)
    return Promise.all([
      foldersWithIds(
        sql,
        sessions.map(session => session.folder),
      ),
      techniquePositionsOfSessions(
        sql,
        sessions.map(session => session.id),
      ),
      techniquePositionsOfPlayer(sql, { player: BUSIEST_PLAYER_ID, before: '2026-05-01T00:00:00Z', instructor: BUSIEST_INSTRUCTOR_ID }),
    ])
  },
  'instructor: progress of a player': sql =>
    Promise.all([
      hasOpenOrDeliveredSession(sql, BUSIEST_PLAYER_ID, BUSIEST_INSTRUCTOR_ID),
      deliveredSessionsOfPlayer(sql, BUSIEST_PLAYER_ID, BUSIEST_INSTRUCTOR_ID),
    ]),
  'instructor: earnings': (sql, now) =>
    Promise.all([
      pageOfPaymentsOfOwner(sql, OWN_PAYMENTS, now, { limit: 100 }),
      countPayments(sql, OWN_PAYMENTS),
      instructorEarningsTotals(sql, BUSIEST_INSTRUCTOR_ID),
    ]),
  'instructor: last page of earnings': (sql, now) =>
    pageOfPaymentsOfOwner(sql, OWN_PAYMENTS, now, { before: SORT_KEY_NEAR_LIST_END, limit: 100 }),
  'instructor: profile': (sql, now) =>
    Promise.all([
      ownProfile(sql, BUSIEST_INSTRUCTOR_ID, now),
      publicRatingsOfInstructor(sql, BUSIEST_INSTRUCTOR_ID),
      inviteCodeOf(sql, BUSIEST_INSTRUCTOR_ID),
      slugProblem(sql, 'person-42', BUSIEST_INSTRUCTOR_ID),
    ]),
  'instructor: account': (sql, now) => deletionObstaclesOf(sql, BUSIEST_INSTRUCTOR_ID, now),
}
