import { invalidateProfilePages, invalidateProfilePagesOf } from '../../modules/instructors/instructor-profile-and-connection-tables.ts'
import { loadState } from '../../modules/kernel/decider.ts'
import { tableOf } from '../../modules/kernel/projection.ts'
import { vettingDecider } from '../../modules/vetting/vetting.ts'
import { openSessionsOf } from '../../projections/assignments.ts'
import { responseTimes } from '../../projections/response-times.ts'
import type { AppDependencies } from '../api/app-dependencies.ts'
import { site } from '../site.ts'
import { assertReadModelsReachedPosition } from './assert-read-models-reached-position.ts'
import { endOpenFolderSessions } from './end-open-folder-sessions.ts'
import { endPendingApprovalsOfPlayerOrInstructor } from './end-pending-approvals-of-player-or-instructor.ts'

interface VettingStatusChange {
  instructor: string
  /** Log position of the event that caused the errand. */
  position: string
}

/** The reason shown to the player next to a returned folder. */
const HANDED_BACK = `This instructor is not taking sessions on ${site.name} right now, so we returned your folder.`

/** Errand handlers for a change of an instructor's vetting status or of a rating. All are idempotent. */
export function profilePageRefreshAndFolderReturnHandlers({
  sql,
  store,
  readModels,
}: Pick<AppDependencies, 'sql' | 'store' | 'readModels'>) {
  return {
    'instructor.publish': async ({ instructor, position }: VettingStatusChange) => {
      await assertReadModelsReachedPosition(readModels, ['vettings'], position)
      await invalidateProfilePagesOf(sql, instructor)
    },

    'instructor.publish-ratings': async ({ sessions, position }: { sessions: string[]; position: string }) => {
      await assertReadModelsReachedPosition(readModels, ['ratings', 'responses'], position)
      const profiles = await sql<{ slug: string | null }[]>`
        select distinct i.slug from ${sql(tableOf(responseTimes))} r join instructors i on i.id = r.instructor
        where r.assignment = any(${sessions}::uuid[])`
      if (profiles.length)
        await invalidateProfilePages(
          sql,
          profiles.map(profile => profile.slug),
        )
    },

    'instructor.hand-back': async ({ instructor, position }: VettingStatusChange) => {
      // The errand may run late, or for the second time, when the instructor is already taking sessions again.
      const { status } = await loadState(store, vettingDecider, instructor)
      if (status !== 'suspended' && status !== 'declined') return
      await assertReadModelsReachedPosition(readModels, ['assignments', 'approvals'], position)
      await endOpenFolderSessions(
        store,
        await openSessionsOf(sql, 'instructor', instructor),
        () => ({ kind: 'hand-back', reason: HANDED_BACK }),
        'instructor.hand-back',
      )
      await endPendingApprovalsOfPlayerOrInstructor({ sql, store }, 'instructor', instructor, 'instructor')
    },
  }
}
