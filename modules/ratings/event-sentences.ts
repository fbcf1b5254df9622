import { type EventSentences, textOrEmpty } from '../event-sentence-types.ts'
import type { RatingEvent } from './rating.ts'

const quoted = (value: unknown) => textOrEmpty(value) && `: “${value}”`
const PLAYER = 'a player'

export const ratingEventSentences: EventSentences<RatingEvent> = {
  SessionRated: {
    audit: d => `rated the session ${Number(d.stars)} of 5${quoted(d.comment)}`,
    story: who => `${who} rated the session`,
  },
  RatingChanged: { audit: d => `changed the rating of the session to ${Number(d.stars)} of 5${quoted(d.comment)}` },
  RatingAnswered: {
    audit: (d, owner = PLAYER) => `answered the rating by ${owner}${quoted(d.answer)}`,
    story: who => `${who} answered the rating`,
  },
  RatingHidden: { audit: (d, owner = PLAYER) => `hid the rating by ${owner}${quoted(d.reason)}` },
  RatingRestored: { audit: (_, owner = PLAYER) => `showed the rating by ${owner} again` },
}
