/** The most folders, and the most letters, that the page of a person lists, newest first. */
export const MAX_ROWS_PER_PERSON_LIST = 100
