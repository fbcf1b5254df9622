/** The most phrases and drills that an instructor can have. */
export const MAX_PHRASES_PER_INSTRUCTOR = 200
export const MAX_PHRASE_LENGTH = 1000
