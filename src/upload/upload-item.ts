import { atom } from 'nanostores'
import type { FileAdviceItem } from './media-advice.ts'
import type { UploadSpeedEstimate } from './upload-speed.ts'

/**
 * `asking`: nothing is sent yet, because the page asks the player whether to trim a long video. `unfinished`: started on an earlier visit,
 * or the file cannot be read anymore, so the player has to choose it again. `refused`: a retry cannot help. `failed`: a retry may help.
 * `offline`: waiting to retry after a lost connection or a server error. `compressing`: this browser is making a smaller copy.
 */
export type UploadState =
  | 'checking'
  | 'asking'
  | 'waiting'
  | 'sending'
  | 'offline'
  | 'paused'
  | 'compressing'
  | 'finishing'
  | 'failed'
  | 'refused'
  | 'unfinished'

/** An upload as the page shows it. */
export interface UploadItem {
  /** The id of the upload, which becomes the id of the video. */
  id: string
  name: string
  bytes: number
  sent: number
  state: UploadState
  speed: UploadSpeedEstimate
  message?: string
  /** Object URL of the still. */
  poster?: string
  /** Codec, frame rate, size and length in one line. */
  media?: string
  advice?: FileAdviceItem[]
  /** A sentence about how this page edited the file. */
  edited?: string
  trimmable?: boolean
  /** Whether this browser can make a smaller copy. */
  compressible?: boolean
  /** How much of the smaller copy has been made, 0 to 1. */
  compressedShare?: number
}

/** States in which leaving the page would interrupt work. */
export const BUSY_UPLOAD_STATES: UploadState[] = ['checking', 'waiting', 'sending', 'offline', 'compressing', 'finishing']
/** States of an upload that is being sent or is queued. */
export const PAUSABLE_UPLOAD_STATES: UploadState[] = ['waiting', 'sending', 'offline']
/** States in which an upload that was started or resumed on this visit can still become a video. */
const UNDER_WAY_UPLOAD_STATES: UploadState[] = [...BUSY_UPLOAD_STATES, 'asking', 'paused', 'failed']

/** How many uploads on this page are under way, by the id of their folder. */
export const $uploadsUnderWayCountByFolder = atom<Readonly<Record<string, number>>>({})

export const updateUploadsUnderWayCount = (folder: string, items: readonly UploadItem[]) =>
  $uploadsUnderWayCountByFolder.set({
    ...$uploadsUnderWayCountByFolder.get(),
    [folder]: items.filter(i => UNDER_WAY_UPLOAD_STATES.includes(i.state)).length,
  })
