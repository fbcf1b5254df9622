/** The most folders, payments, purchases or letters that a person's page lists. */
export const MAX_ROWS_PER_PERSON_LIST = 100
