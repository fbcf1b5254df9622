import { createHash } from 'node:crypto'

/** The sizes of an installation with 100,000 people. The people with the lowest numbers are instructors. */
export const PERSON_COUNT = 100_000
export const INSTRUCTOR_COUNT = 5000
export const GUARDIAN_COUNT = 30_000
export const FOLDER_COUNT = 150_000
export const SESSION_COUNT = 150_000
export const PURCHASE_COUNT = 60_000
export const EVENT_COUNT = 1_000_000
/** The largest number of folders of one player, and of sessions of one instructor. */
export const MAX_FOLDERS_PER_PLAYER = 300
export const MAX_SESSIONS_PER_INSTRUCTOR = 5000

/** The UUID of something, as the SQL function `id_of` computes it. */
const idOf = (what: string) =>
  createHash('md5')
    .update(what)
    .digest('hex')
    .replace(/(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')

/** The player with the most folders, who is under 18, and that player's guardian. */
export const BUSIEST_PLAYER_ID = idOf(`person${INSTRUCTOR_COUNT}`)
export const BUSIEST_PLAYER_EMAIL = `person${INSTRUCTOR_COUNT}@example.com`
export const GUARDIAN_ID_OF_BUSIEST_PLAYER = idOf('guardian0')
export const GUARDIAN_EMAIL_OF_BUSIEST_PLAYER = 'guardian0@example.com'
/** An adult player, who pays without a guardian. */
export const ADULT_PLAYER_ID = idOf(`person${PERSON_COUNT - 1}`)
/** The instructor with the most sessions. */
export const BUSIEST_INSTRUCTOR_ID = idOf('person0')
export const ADMIN_ID = idOf('admin')
/** A folder, a session and a video of the player with the most folders; the session belongs to the instructor with the most sessions. */
export const FOLDER_ID_OF_BUSIEST_PLAYER = idOf('folder7')
export const SESSION_ID_OF_BUSIEST_PLAYER = idOf('session7')
export const VIDEO_ID_OF_BUSIEST_PLAYER = idOf('video7')
/** A session that its instructor has not started. */
export const WAITING_SESSION_ID = idOf('session100')
export const PURCHASE_ID = idOf('purchase7')
export const SUPPORT_REQUEST_ID = idOf('request50')
export const INVITE_CODE = 'C0'
/** The current time, as far as the measured queries are concerned. */
export const BENCHMARK_NOW = new Date('2026-06-01T00:00:00Z')
