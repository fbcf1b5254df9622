import type { PersonalText } from '../privacy/personal-text.ts'
import type { RatingEvent } from './rating.ts'

/** What is said of a session is its player's, like all that is said in the folder: a rating goes with the player who gave it. */
export const ratingText: PersonalText<RatingEvent> = {
  stream: 'rating',
  person: first => first.data.player,
  fields: {
    SessionRated: ['comment'],
    RatingChanged: ['comment'],
    RatingAnswered: ['answer'],
    RatingHidden: ['reason'],
    RatingRestored: [],
  },
}
