import { type Errand, errand, process } from '../kernel/process.ts'
import { idOf, type Recorded } from '../kernel/store.ts'
import type { VettingEvent } from './vetting.ts'

/** Folders are handed back a second time after so long: a player may have been assigning one while the instructor was suspended. */
const RECHECK_MS = 60_000

type Cause = Pick<Recorded, 'id' | 'stream' | 'at' | 'position'>

/** The public pages are made anew once the read models have this event. */
const publish = (e: Cause): Errand => errand(e, 'instructor.publish', { instructor: idOf(e.stream), position: String(e.position) })

const handBack = (e: Cause): Errand[] => {
  const payload = { instructor: idOf(e.stream), position: String(e.position) }
  const later = new Date(Date.parse(e.at) + RECHECK_MS).toISOString()
  return [
    errand(e, 'instructor.hand-back', payload),
    errand(e, 'instructor.hand-back', payload, { due: later, key: ['instructor.hand-back', 'again'] }),
  ]
}

/** What follows where an instructor's standing changes: public pages, and folders that go back to their players. */
export const profilePublicationProcess = process<VettingEvent>({
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
