export const MIN_STARS = 1
export const MAX_STARS = 5

/** A rating can be changed for this many days, and this many times. The log keeps every change. */
export const RATING_CHANGE_DAYS = 30
export const MAX_CHANGES_PER_RATING = 50

/**
 * Ratings are shown once an instructor has this many visible ones; fewer would say more about individual players than about the instructor.
 */
export const MIN_RATINGS_TO_SHOW = 3

/** The most ratings that a profile lists, the newest first. */
export const MAX_RATINGS_ON_PROFILE = 20

/** Longest comment with a rating, and longest answer to it, in characters. */
export const MAX_RATING_TEXT_LENGTH = 300
