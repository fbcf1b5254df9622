/** A shorter search would match nearly everybody. */
export const MIN_SEARCH_LENGTH = 2
export const MAX_SEARCH_LENGTH = 100
/** How many matches of each kind a search shows at first. To see more, administrators narrow the search or load further pages of people. */
export const MAX_SEARCH_MATCHES_PER_KIND = 8
/** How many people each further page of a search lists. */
export const FOUND_PEOPLE_PER_PAGE = 20
