import type { Media } from '../contract.ts'
import type { FrameTable } from '../frames.ts'
import type { RefusalCode } from './refusal.ts'

/** What the process that prepares a video is told: all it may reach is one object to read and a directory to write to. */
export interface Order {
  kind: keyof typeof MADE
  /** Signed URL of the original. */
  source: string
  type: string
  bytes: number
  /** Its own, empty; gone with it. */
  dir: string
  /** A program to use instead of the library that comes with us. */
  ffmpeg: string | null
}

export interface Made {
  rendition: { bytes: number; width: number; height: number }
  poster: { bytes: number }
  filmstrip: { bytes: number; count: number; columns: number; width: number; height: number }
}
/** What is made of a voice-over. */
export interface MadeVoice {
  voice: { bytes: number }
}
export type File = keyof Made | keyof MadeVoice
export const FILES: Record<File, { name: string; type: string }> = {
  rendition: { name: 'rendition.mp4', type: 'video/mp4' },
  poster: { name: 'poster.webp', type: 'image/webp' },
  filmstrip: { name: 'filmstrip.jpg', type: 'image/jpeg' },
  voice: { name: 'voice.m4a', type: 'audio/mp4' },
}
/** The files of each kind of work; the first is what it is done for. */
export const MADE = { rendition: ['rendition', 'poster', 'filmstrip'], voice: ['voice'] } as const

/** It ends with this code where the machine has no room for its work: EX_TEMPFAIL. */
export const NO_ROOM = 75

/** What it says, in this order; `refused` and `away` end it. */
export type Word =
  | { is: 'looking' }
  | { is: 'looked'; media: Media; table: FrameTable }
  | { is: 'progress'; part: number }
  /** Asks where to put what it made; the answer is a `Places`. */
  | { is: 'made'; made: Made | MadeVoice }
  | { is: 'stored' }
  | { is: 'refused'; code: RefusalCode; why?: string }
  /** The object store does not answer. */
  | { is: 'away' }
/** Signed URLs to PUT each file to, of exactly its length. */
export type Places = Partial<Record<File, string>>
