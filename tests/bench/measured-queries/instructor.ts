import { playerTraitsWithAgeOf } from '../../../modules/accounts/player-traits.ts'
import { draftOf } from '../../../modules/folders/drafts.ts'
import { heldDeliveriesOf } from '../../../modules/folders/held-deliveries.ts'
import { inviteCodeOf, isConnectedWithInstructor, slugProblem } from '../../../modules/instructors/profiles.ts'
import { phrasesOf } from '../../../modules/phrases/phrase-table.ts'
import {
  countDeliveredSessions,
  countWaitingSessions,
  pageOfDeliveredSessionRows,
  pageOfWaitingSessionRows,
  sessionsOf,
  sessionsToDo,
  techniqueCheckpointsOfSessions,
  techniquePositionsOf,
} from '../../../projections/assignments.ts'
import { foldersById } from '../../../projections/folders.ts'
import { ownProfile } from '../../../projections/instructors.ts'
import { modelClipsOf } from '../../../projections/model-libraries.ts'
import { obligationsOf } from '../../../projections/obligations.ts'
import { countPayments, earningsOf, pageOfPayments } from '../../../projections/payments.ts'
import { deliveredSessionsWithSamePlayer, hasDeliveredSession, progressOf } from '../../../projections/progress.ts'
import { publicRatingsOf } from '../../../projections/ratings.ts'
import { storyOf } from '../../../projections/story.ts'
import {
  BUSIEST_INSTRUCTOR,
  BUSIEST_PLAYER,
  FOLDER_OF_BUSIEST_PLAYER,
  SESSION_OF_BUSIEST_PLAYER,
  VIDEO_OF_BUSIEST_PLAYER,
  WAITING_SESSION,
} from '../large-installation.ts'
import { LATE_ROW } from './player.ts'
import type { Queries } from './queries.ts'

const OWN_PAYMENTS = { whose: { instructor: BUSIEST_INSTRUCTOR }, kind: 'any' } as const

export const instructorQueries: Queries = {
  'instructor with 5,000 sessions: queue': async sql => {
    const [{ rows: delivered }, todo] = await Promise.all([
      pageOfDeliveredSessionRows(sql, BUSIEST_INSTRUCTOR, { limit: 50 }),
      sessionsToDo(sql, BUSIEST_INSTRUCTOR, 51),
      countWaitingSessions(sql, BUSIEST_INSTRUCTOR),
      countDeliveredSessions(sql, BUSIEST_INSTRUCTOR),
    ])
    const listed = [...todo, ...delivered].map(session => session.folder)
    return foldersById(sql, listed)
  },
  'instructor: last page of waiting sessions': sql => pageOfWaitingSessionRows(sql, BUSIEST_INSTRUCTOR, { after: '60', limit: 50 }),
  'instructor: last page of delivered sessions': sql => pageOfDeliveredSessionRows(sql, BUSIEST_INSTRUCTOR, { before: '60', limit: 50 }),
  'instructor: the studio': (sql, now) =>
    Promise.all([
      draftOf(sql, { assignment: WAITING_SESSION, instructor: BUSIEST_INSTRUCTOR }),
      heldDeliveriesOf(sql, [WAITING_SESSION]),
      playerTraitsWithAgeOf(sql, BUSIEST_PLAYER, now),
      deliveredSessionsWithSamePlayer(sql, WAITING_SESSION),
      phrasesOf(sql, BUSIEST_INSTRUCTOR),
      modelClipsOf(sql, BUSIEST_INSTRUCTOR),
      storyOf(sql, FOLDER_OF_BUSIEST_PLAYER, { sessions: [SESSION_OF_BUSIEST_PLAYER], videos: [VIDEO_OF_BUSIEST_PLAYER] }),
      isConnectedWithInstructor(sql, BUSIEST_PLAYER, BUSIEST_INSTRUCTOR),
    ]),
  'instructor: videos to compare with': async sql => {
    const sessions = await sessionsOf(sql, 'player', BUSIEST_PLAYER)
    return Promise.all([
      foldersById(
        sql,
        sessions.map(session => session.folder),
      ),
      techniqueCheckpointsOfSessions(
        sql,
        sessions.map(session => session.id),
      ),
      techniquePositionsOf(sql, { player: BUSIEST_PLAYER, before: '2026-05-01T00:00:00Z', instructor: BUSIEST_INSTRUCTOR }),
    ])
  },
  'instructor: progress of a player': sql =>
    Promise.all([hasDeliveredSession(sql, BUSIEST_PLAYER, BUSIEST_INSTRUCTOR), progressOf(sql, BUSIEST_PLAYER, BUSIEST_INSTRUCTOR)]),
  'instructor: earnings': (sql, now) =>
    Promise.all([
      pageOfPayments(sql, OWN_PAYMENTS, now, { limit: 100 }),
      countPayments(sql, OWN_PAYMENTS),
      earningsOf(sql, BUSIEST_INSTRUCTOR),
    ]),
  'instructor: last page of earnings': (sql, now) => pageOfPayments(sql, OWN_PAYMENTS, now, { before: LATE_ROW, limit: 100 }),
  'instructor: profile': (sql, now) =>
    Promise.all([
      ownProfile(sql, BUSIEST_INSTRUCTOR, now),
      publicRatingsOf(sql, BUSIEST_INSTRUCTOR),
      inviteCodeOf(sql, BUSIEST_INSTRUCTOR),
      slugProblem(sql, 'person-42', BUSIEST_INSTRUCTOR),
    ]),
  'instructor: account': sql => obligationsOf(sql, BUSIEST_INSTRUCTOR),
}
