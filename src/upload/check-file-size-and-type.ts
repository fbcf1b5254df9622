import { MAX_VIDEO_BYTES, MAX_VIDEOS_PER_SESSION } from '../../modules/folders/policy.ts'
import { sniffContainer, type VideoType } from './sniff-container.ts'

/** The file's real type, or a sentence that tells the player why it cannot be uploaded. */
export type FileTypeOrRefusal = { type: VideoType } | { refused: string }

/** For the `accept` attribute of a file input. */
export const ACCEPTED_FILES = 'video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm'
export const MAX_VIDEO_NAME_LENGTH = 200
const refusals = {
  matroska: 'This is an MKV file. Export it as MP4 and choose it again.',
  avi: 'This is an AVI file. Export it as MP4 and choose it again.',
  image: 'This is a photo, not a video. Choose an MP4, MOV or WEBM video.',
  unknown: 'This is not a video that we can read. Choose an MP4, MOV or WEBM video.',
}

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 / 1024)

/**
 * Checks a file before it is uploaded: the number of videos, its size, its name, and the type found in its first bytes. Never throws.
 * @param videosSoFar number of videos and unfinished uploads in the session, not counting this file
 */
export async function checkFile(file: File, videosSoFar: number): Promise<FileTypeOrRefusal> {
  if (videosSoFar >= MAX_VIDEOS_PER_SESSION) {
    return { refused: `A session can have up to ${MAX_VIDEOS_PER_SESSION} videos. Remove one first, or start another folder.` }
  }
  if (file.size === 0) return { refused: 'This file is empty. Choose another one.' }
  if (file.name.length > MAX_VIDEO_NAME_LENGTH) {
    return {
      refused: `The name of this file has ${file.name.length} characters. The limit is ${MAX_VIDEO_NAME_LENGTH}. Rename it and choose it again.`,
    }
  }
  if (file.size > MAX_VIDEO_BYTES) {
    return {
      refused: `This video is ${megabytes(file.size)} MB. The limit is ${megabytes(MAX_VIDEO_BYTES)} MB. Trim it or export it at 1080p.`,
    }
  }
  let head: Uint8Array
  try {
    head = new Uint8Array(await file.slice(0, 64).arrayBuffer())
  } catch {
    return { refused: 'This file cannot be opened. If it is in a cloud drive, download it first, then choose it again.' }
  }
  const type = sniffContainer(head)
  return type in refusals ? { refused: refusals[type as keyof typeof refusals] } : { type: type as VideoType }
}
