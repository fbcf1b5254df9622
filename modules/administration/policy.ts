/** A search for less would match nearly everybody. */
export const MIN_SEARCH_LENGTH = 2
export const MAX_SEARCH_LENGTH = 100
/** Most matches of each kind: whoever wants more writes more. */
export const MAX_MATCHES_PER_KIND = 8
