import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { VettingEvent } from './vetting.ts'

/** The delay before folders are handed back a second time: a player may have been assigning one while the instructor was suspended. */
const RECHECK_MS = 60_000

type Cause = Pick<RecordedEvent, 'id' | 'stream' | 'at' | 'position'>

/** Renders the public pages again once the read models have this event. */
const publish = (e: Cause): Errand => errand(e, 'instructor.publish', { instructor: idOfStream(e.stream), position: String(e.position) })

const handBack = (e: Cause): Errand[] => {
  const payload = { instructor: idOfStream(e.stream), position: String(e.position) }
  const later = new Date(Date.parse(e.at) + RECHECK_MS).toISOString()
  return [
    errand(e, 'instructor.hand-back', payload),
    errand(e, 'instructor.hand-back', payload, { due: later, key: ['instructor.hand-back', 'again'] }),
  ]
}

/** The consequences of a change of an instructor's status: new public pages, and folders that go back to their players. */
export const vettingChangeProcess = eventProcess<VettingEvent>({
  name: 'publishing',
  startsFrom: 'beginning',
  on: {
    InstructorApproved: publish,
    InstructorReinstated: publish,
    InstructorFeatured: publish,
    CheckRecorded: publish,
    CheckWithdrawn: publish,
    InstructorDeclined: e => [publish(e), ...handBack(e)],
    InstructorSuspended: e => [publish(e), ...handBack(e)],
  },
})
