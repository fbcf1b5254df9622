import { availableParallelism } from 'node:os'
import type { AVMediaType, Stream } from 'node-av'
import type { TrackIdAndOrdinal } from '../read-container.ts'
import { TOO_MANY_PIXELS_LOG_PATTERN } from './rendition-and-still-settings.ts'

// Helpers for node-av, which is FFmpeg as a library in this process.

export type NodeAv = typeof import('node-av')

/** The number of threads of a decoder or encoder. More would use a lot of memory and save little time. */
export const CODEC_THREADS = Math.min(4, availableParallelism())

/** Opens a file as WebM or as MP4/MOV. The whitelist keeps FFmpeg from opening URLs that the file refers to. */
export const openDemuxer = (av: NodeAv, file: string, webm: boolean) =>
  av.Demuxer.open(file, {
    format: webm ? 'matroska' : 'mov',
    options: {
      protocol_whitelist: 'file',
      // The frame table already leaves out what an edit list hides. With the edit list ignored, every packet yields a frame.
      ...(!webm && { ignore_editlist: '1' }),
    },
  })

/** Finds the stream of the track that the probe chose: by the track's id, which FFmpeg keeps for MP4 and MOV, otherwise by its place. */
export function ffmpegStreamOfTrack(streams: readonly Stream[], type: AVMediaType, { id, place }: TrackIdAndOrdinal): Stream | undefined {
  const candidates = streams.filter(stream => stream.codecpar.codecType === type)
  return candidates.find(stream => stream.id === id) ?? candidates[place - 1]
}

/** Options of a decoder that refuses pictures of more than `pixels` pixels, and continues after a damaged one. */
export const decoderOptions = (pixels: number) => ({
  exitOnError: false,
  context: { threadCount: CODEC_THREADS },
  options: { max_pixels: pixels },
})

/** Whether a decoder has met a picture larger than allowed, which FFmpeg reports only in its log. */
export const oversizedPictureDetected = { isSet: false }

/**
 * Installs a handler that writes FFmpeg's errors to standard error, and notes in `oversizedPictureDetected` when one is about a picture
 * that is too large.
 */
export function logFfmpegErrorsAndFlagOversizedPictures(av: NodeAv) {
  av.Log.setLevel(av.AV_LOG_ERROR)
  const onMessage = (_: number, message: string) => {
    if (TOO_MANY_PIXELS_LOG_PATTERN.test(message)) oversizedPictureDetected.isSet = true
    console.error(message.trimEnd())
  }
  // A callback gets messages of all levels unless a level is set.
  av.Log.setCallback(onMessage, { maxLevel: av.AV_LOG_ERROR })
}

/** Converts a timestamp of a packet or frame to seconds. */
export const secondsOfTimestamp = (pts: bigint, { timeBase }: { timeBase: { num: number; den: number } }) =>
  (Number(pts) * timeBase.num) / timeBase.den
