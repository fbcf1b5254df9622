import type { Media } from '../contract.ts'
import type { FrameTable } from '../frames.ts'
import type { RefusalCode } from './refusal.ts'

/** The input of the preparation process: a directory with the files that it needs, which is all that it can reach. */
export interface PreparationTask {
  kind: keyof typeof OUTPUT_FILES_BY_KIND
  type: string
  /** Its own directory with only those files, deleted afterwards. */
  dir: string
  /** The process id of the server that started it; left out in a sandbox, which ends with the server by itself. */
  serverPid?: number
}
/** What is to be prepared, and where it is. */
export interface PreparationOrder extends PreparationTask {
  sources: SourceFile[]
  /** What is written into `JOB_FILE_NAME` for it. */
  job?: string | undefined
  /** What the file that it makes will be, where that is known before. */
  promised?: Media | undefined
}
/** A file that is fetched before: its signed URL, its name in the directory, and its length. */
export interface SourceFile {
  url: string
  file: string
  bytes: number
}
/** The name of an original in the directory. */
export const ORIGINAL_FILE_NAME = 'original'
/** The name of the file that says what to make of several files. */
export const JOB_FILE_NAME = 'job.json'

export interface RenditionFiles {
  rendition: { bytes: number; width: number; height: number }
  poster: { bytes: number }
  filmstrip: { bytes: number; count: number; columns: number; width: number; height: number }
}
/** What is made of a voice-over. */
export interface VoiceFile {
  voice: { bytes: number }
}
/** What is made of a review. */
export interface ReviewVideoFile {
  review: { bytes: number }
}
export type PreparedFiles = RenditionFiles | VoiceFile | ReviewVideoFile
export type OutputFile = keyof RenditionFiles | keyof VoiceFile | keyof ReviewVideoFile
export const OUTPUT_FILES: Record<OutputFile, { name: string; type: string }> = {
  rendition: { name: 'rendition.mp4', type: 'video/mp4' },
  poster: { name: 'poster.webp', type: 'image/webp' },
  filmstrip: { name: 'filmstrip.jpg', type: 'image/jpeg' },
  voice: { name: 'voice.m4a', type: 'audio/mp4' },
  review: { name: 'review.mp4', type: 'video/mp4' },
}
/** The files of each kind of work; the first is what it is done for. */
export const OUTPUT_FILES_BY_KIND = { rendition: ['rendition', 'poster', 'filmstrip'], voice: ['voice'], review: ['review'] } as const

/** Its messages, one a line on standard output, in this order; `made` and `refused` are final. */
export type ChildMessage =
  | { is: 'looking' }
  | { is: 'looked'; media: Media; table: FrameTable }
  | { is: 'progress'; part: number }
  | { is: 'made'; made: PreparedFiles }
  | { is: 'refused'; code: RefusalCode; why?: string }
/** Signed URLs to PUT each file to, of exactly its length. */
export type UploadUrls = Partial<Record<OutputFile, string>>
