import { errandAndDelayedRecheck } from '../kernel/errand-and-delayed-recheck.ts'
import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { AccountEvent } from '../privacy/account-exports-and-deletion-decider.ts'
import type { VettingEvent } from './vetting.ts'

type Cause = Pick<RecordedEvent, 'id' | 'stream' | 'at' | 'position'>

/** Once the read models have this event, invalidates the public pages that show the instructor. */
const publish = (e: Cause): Errand => errand(e, 'instructor.publish', { instructor: idOfStream(e.stream), position: String(e.position) })

/**
 * Returns the instructor's folders to their players. A second pass a minute later catches folders that players were assigning when the
 * instructor was suspended or declined.
 */
const handBack = (e: Cause): Errand[] =>
  errandAndDelayedRecheck(e, 'instructor.hand-back', { instructor: idOfStream(e.stream), position: String(e.position) })

/**
 * Keeps public pages current when an instructor's status, checks or scheduled deletion change, and returns the folders of a declined or
 * suspended instructor to their players.
 */
export const publishPagesAndReturnFoldersProcess = eventProcess<
  VettingEvent | Extract<AccountEvent, { type: 'DeletionScheduled' | 'DeletionCanceled' }>
>({
  name: 'publishing',
  startsFrom: 'beginning',
  on: {
    InstructorApproved: publish,
    InstructorReinstated: publish,
    InstructorFeatured: publish,
    CheckRecorded: publish,
    CheckWithdrawn: publish,
    DeletionScheduled: publish,
    DeletionCanceled: publish,
    InstructorDeclined: e => [publish(e), ...handBack(e)],
    InstructorSuspended: e => [publish(e), ...handBack(e)],
  },
})
