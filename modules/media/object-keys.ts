/** The object keys of uploaded and derived files. `storageSweeper` must know every prefix. */
const VIDEO_PREFIXES = ['videos', 'posters', 'renditions', 'tables', 'filmstrips'] as const
export const videoKeyPrefixes = VIDEO_PREFIXES.map(prefix => `${prefix}/`)

const videoKeyUnder = (prefix: (typeof VIDEO_PREFIXES)[number]) => (folder: string, video: string) => `${prefix}/${folder}/${video}`
/** The original, of which instructors and guests never get a URL. */
export const videoKey = videoKeyUnder('videos')
/** The poster: first a JPEG that the browser uploads, then a still of the rendition. */
export const posterKey = videoKeyUnder('posters')
export const renditionKey = videoKeyUnder('renditions')
export const frameTableKey = videoKeyUnder('tables')
export const filmstripKey = videoKeyUnder('filmstrips')

/** The video of a delivered review, which is made on request and kept for `REVIEW_VIDEO_DAYS`. */
export const REVIEW_VIDEO_PREFIX = 'reviews/'
export const reviewVideoKey = (folder: string, assignment: string) => `${REVIEW_VIDEO_PREFIX}${folder}/${assignment}`

/**
 * The keys to which browsers upload a still and a video. They are never signed for reading. Checked uploads are copied to `posterKey` and
 * `videoKey`, to which no browser gets a URL for writing.
 */
export const INCOMING_PREFIX = 'incoming/'
export const incomingPosterKey = (folder: string, video: string) => `${INCOMING_PREFIX}${folder}/${video}`
export const incomingVideoKey = (folder: string, video: string) => `${incomingPosterKey(folder, video)}/video`

/** Zip files with a person's data, for that person only. */
export const DATA_EXPORT_PREFIX = 'exports/'
export const dataExportKey = (person: string, id: string) => `${DATA_EXPORT_PREFIX}${person}/${id}`

/** Test objects of `npm run doctor` and of the check at the server's start, which delete them unless they are interrupted. */
export const DOCTOR_PREFIX = 'doctor/'

/**
 * The keys of a voice-over: the browser's upload; a checked copy for its instructor during the review; the delivered copy; and AAC of the
 * delivered copy, which every browser plays. Browsers get URLs for writing only to the first, which is never signed for reading.
 */
const VOICE_PREFIXES = ['voices', 'drafted', 'spoken', 'heard'] as const
export const voiceKeyPrefixes = VOICE_PREFIXES.map(prefix => `${prefix}/`)
const voiceKeyUnder = (prefix: (typeof VOICE_PREFIXES)[number]) => (assignment: string, voice: string) => `${prefix}/${assignment}/${voice}`
export const uploadedVoiceKey = voiceKeyUnder('voices')
export const draftVoiceKey = voiceKeyUnder('drafted')
export const deliveredVoiceKey = voiceKeyUnder('spoken')
export const convertedVoiceKey = voiceKeyUnder('heard')

/** Parses the key of a voice-over; null for other keys. */
export function parseVoiceKey(key: string): { delivered: boolean; assignment: string; voice: string } | null {
  const [, prefix, assignment, voice] = /^(voices|drafted|spoken|heard)\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/.exec(key) ?? []
  return prefix ? { delivered: prefix === 'spoken' || prefix === 'heard', assignment: assignment!, voice: voice! } : null
}

/** Parses a video's object key into the ids of its folder and video; null for other keys. */
export function parseVideoKey(key: string): { folder: string; video: string } | null {
  const match = /^([a-z]+)\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/.exec(key)
  return match && (VIDEO_PREFIXES as readonly string[]).includes(match[1]!) ? { folder: match[2]!, video: match[3]! } : null
}
