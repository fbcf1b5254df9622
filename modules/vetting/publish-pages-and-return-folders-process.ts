import { errandWithDelayedRecheck } from '../kernel/errand-with-delayed-recheck.ts'
import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { AccountEvent } from '../privacy/account-exports-and-deletion-decider.ts'
import type { VettingEvent } from './vetting.ts'

type Cause = Pick<RecordedEvent, 'id' | 'stream' | 'at' | 'position'>

/** Renders the public pages again once the read models have this event. */
const publish = (e: Cause): Errand => errand(e, 'instructor.publish', { instructor: idOfStream(e.stream), position: String(e.position) })

/** Twice, because a player may have been assigning a folder while the instructor was suspended. */
const handBack = (e: Cause): Errand[] =>
  errandWithDelayedRecheck(e, 'instructor.hand-back', { instructor: idOfStream(e.stream), position: String(e.position) })

/** The consequences of a change of an instructor's status, or of a scheduled deletion: new public pages, and folders that go back to their players. */
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
