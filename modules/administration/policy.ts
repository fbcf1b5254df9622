/** A search for less would match nearly everybody. */
export const MIN_SEARCH_LENGTH = 2
export const MAX_SEARCH_LENGTH = 100
/** Most matches of each kind: whoever wants more writes more. */
export const MAX_MATCHES_PER_KIND = 8
/** Most folders, and most letters, that the page of a person lists: the newest. */
export const MAX_LISTED_PER_PERSON = 100
