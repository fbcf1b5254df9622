/** How long a private link to a review works. */
export const REVIEW_LINK_DAYS = 30
export const MAX_LINKS_PER_REVIEW = 10
/** Of what a family calls a link: whom it is for. */
export const MAX_LINK_NAME_LENGTH = 40
