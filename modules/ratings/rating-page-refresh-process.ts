import { type Errand, errand, eventProcess } from '../kernel/process.ts'
import { idOfStream, type RecordedEvent } from '../kernel/store.ts'
import type { PersonForgotten } from '../privacy/account-exports-and-deletion-decider.ts'
import type { RatingEvent } from './rating.ts'

const publish = (e: Pick<RecordedEvent, 'id' | 'position'>, sessions: string[]): Errand =>
  errand(e, 'instructor.publish-ratings', { sessions, position: String(e.position) })
const publishOne = (e: Pick<RecordedEvent, 'id' | 'stream' | 'position'>) => publish(e, [idOfStream(e.stream)])

/** Renders public pages again when a rating changes or its player is deleted. */
export const ratingPageRefreshProcess = eventProcess<RatingEvent | PersonForgotten>({
  name: 'publishing-ratings',
  startsFrom: 'now',
  on: {
    SessionRated: publishOne,
    RatingChanged: publishOne,
    RatingAnswered: publishOne,
    RatingHidden: publishOne,
    RatingRestored: publishOne,
    PersonForgotten: e => (e.data.assignments.length ? publish(e, e.data.assignments) : []),
  },
})
