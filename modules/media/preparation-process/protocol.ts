import type { VideoProperties } from '../contract.ts'
import type { FrameTable } from '../frames.ts'
import type { RefusalCode } from './media-refusal.ts'

/** The input of the preparation process. */
export interface PreparationProcessInput {
  kind: keyof typeof OUTPUT_FILES_BY_JOB_KIND
  type: string
  /** A directory for this preparation alone, deleted afterwards. It contains the files to prepare; the process has no other data. */
  dir: string
  /** The process id of the server that started it; left out under bubblewrap, which kills this process when the server dies. */
  serverPid?: number
}
/** What to prepare, and where to download the files for it. */
export interface SupervisedPreparationOrder extends PreparationProcessInput {
  sources: SourceFileDownload[]
  /** The content of the file `RENDER_INPUT_FILE_NAME`. */
  job?: string | undefined
  /** The properties of the output, if they are known in advance. */
  promised?: VideoProperties | undefined
}
/** A file to download before the preparation: its signed URL, its name in the directory, and its length. */
export interface SourceFileDownload {
  url: string
  file: string
  bytes: number
}
/** The name of an original in the directory. */
export const ORIGINAL_FILE_NAME = 'original'
/** The name of the file in the directory that describes what to render from several source files: a review video, or stills to print. */
export const RENDER_INPUT_FILE_NAME = 'job.json'

export interface PreparedRenditionFileProperties {
  rendition: { bytes: number; width: number; height: number }
  poster: { bytes: number }
  filmstrip: { bytes: number; count: number; columns: number; width: number; height: number }
}
export interface PreparedVoice {
  voice: { bytes: number }
}
export interface PreparedReviewVideo {
  review: { bytes: number }
}
export type PreparedFiles = PreparedRenditionFileProperties | PreparedVoice | PreparedReviewVideo
export type OutputFileKind = keyof PreparedRenditionFileProperties | keyof PreparedVoice | keyof PreparedReviewVideo
export const OUTPUT_FILES: Record<OutputFileKind, { name: string; type: string }> = {
  rendition: { name: 'rendition.mp4', type: 'video/mp4' },
  poster: { name: 'poster.webp', type: 'image/webp' },
  filmstrip: { name: 'filmstrip.jpg', type: 'image/jpeg' },
  voice: { name: 'voice.m4a', type: 'audio/mp4' },
  review: { name: 'review.mp4', type: 'video/mp4' },
}
/** The output files of each kind of work; the first is its main result. */
export const OUTPUT_FILES_BY_JOB_KIND = { rendition: ['rendition', 'poster', 'filmstrip'], voice: ['voice'], review: ['review'] } as const

/** The messages of the preparation process, one per line of standard output, in this order; `made` and `refused` are final. */
export type PreparationMessage =
  | { is: 'probing' }
  | { is: 'probed'; media: VideoProperties; table: FrameTable }
  | { is: 'progress'; part: number }
  | { is: 'made'; made: PreparedFiles }
  | { is: 'refused'; code: RefusalCode; why?: string }
/** A signed URL for uploading each output file, valid only for exactly that file's length. */
export type UploadUrls = Partial<Record<OutputFileKind, string>>
