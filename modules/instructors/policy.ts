/** How many days an instructor is featured on the landing page after joining with a referral code. */
export const FEATURED_DAYS_WHEN_REFERRED = 30

export const INVITE_CODE_LENGTH = 8
/** How many former slugs of a profile redirect to it forever. The limit keeps anybody from taking all names. */
export const MAX_FORMER_SLUGS = 10

/** How many instructors a page of the search has by default, and at most. */
export const INSTRUCTORS_PER_PAGE = 24
export const MAX_INSTRUCTORS_PER_PAGE = 100
