/** Phrases and drills that an instructor may keep. */
export const PHRASES_PER_INSTRUCTOR = 200
export const PHRASE_LENGTH = 1000
