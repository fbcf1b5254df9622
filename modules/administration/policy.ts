/** A shorter search would match nearly everybody. */
export const MIN_SEARCH_LENGTH = 2
export const MAX_SEARCH_LENGTH = 100
/** The most matches of each kind at first. To see others, administrators make the search more specific, or show more people. */
export const MAX_MATCHES_PER_KIND = 8
/** How many people each further page of a search lists. */
export const FOUND_PEOPLE_PER_PAGE = 20
/** The most folders, and the most letters, that the page of a person lists, newest first. */
export const MAX_ROWS_PER_PERSON_LIST = 100
