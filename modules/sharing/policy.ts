/** How long a private link to a review works. */
export const REVIEW_LINK_DAYS = 30
/** No video is made of a review that takes longer than this to watch. */
export const MAX_REVIEW_VIDEO_MINUTES = 20
export const MAX_REVIEW_LINKS_PER_SESSION = 10
/** Maximum length of a private link's name, which answers “Who is it for?”, in characters. */
export const MAX_REVIEW_LINK_NAME_LENGTH = 40
