/** The most folders, payments, purchases or letters that the page of a person lists. */
export const MAX_ROWS_PER_PERSON_LIST = 100
