// Business limits of folders and their videos.

export const MAX_VIDEOS_PER_SESSION = 3
export const MAX_VIDEO_BYTES = 500 * 1024 * 1024
export const VIDEO_TYPES = ['video/mp4', 'video/quicktime', 'video/webm'] as const
/** How long feedback typically takes, in hours: from and to. */
export const TYPICAL_FEEDBACK_HOURS_RANGE = [24, 48] as const
/** '24–48 hours' */
export const TYPICAL_FEEDBACK_TIME = `${TYPICAL_FEEDBACK_HOURS_RANGE.join('–')} hours`
export const MAX_FOLDER_NAME_LENGTH = 80
export const MAX_NOTES_PER_REVIEW = 60
export const MAX_SESSION_TEXT_LENGTH = 4000
/**
 * How many changes a player may make to one folder, and how often one person may set capture rates in it. These are limited because every
 * command reads all events of a folder, and its story lists them all.
 */
export const MAX_CHANGES_PER_FOLDER = 2000
export const MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER = 100

/** How many folders a page of a list has by default, and at most. */
export const FOLDERS_PER_PAGE = 24
export const MAX_FOLDERS_PER_PAGE = 100
/** How long an answer stays an action item. Read marks are stored on one device, so on others the item would otherwise never go away. */
export const UNREAD_ANSWER_ACTION_ITEM_DAYS = 14
