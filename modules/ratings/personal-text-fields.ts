import type { PersonalTextFields } from '../privacy/get-and-set-texts-by-path.ts'
import type { RatingEvent } from './rating.ts'

/** Ratings are encrypted with the key of the player, like everything in the folder, and are deleted with the player. */
export const ratingPersonalTextFields: PersonalTextFields<RatingEvent> = {
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
