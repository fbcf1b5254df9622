/** How long a private link to a review works. */
export const REVIEW_LINK_DAYS = 30
/** No video is made of a review that takes longer than this to watch. */
export const MAX_REVIEW_VIDEO_MINUTES = 20
export const MAX_REVIEW_LINKS_PER_SESSION = 10
/** The longest answer to “Who is it for?” of a private link, in characters. */
export const MAX_REVIEW_LINK_NAME_LENGTH = 40
