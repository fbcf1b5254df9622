import type { VideoProperties } from '../media/contract.ts'
import type { FrameTimeline } from '../media/frames.ts'

/** What is known about a video's capture rate. */
export interface CaptureRateFacts {
  /** Frames per second of real time, if a person has set the rate. */
  captureRate?: number | undefined
  media: VideoProperties | null
  /** The presentation times of the frames, if the rate varies. */
  times?: FrameTimeline | null
}

/**
 * Returns a function that converts a frame's index to the milliseconds of real time between the starts of frame 0 and that frame. Null if
 * neither a rate nor `times` is known.
 */
export function realTimeOfFrames({ captureRate, media, times }: CaptureRateFacts): ((frame: number) => number) | null {
  const rate = captureRate ?? media?.captureRate?.rate
  if (rate) return frame => (frame * 1000) / rate
  if (media?.rate) {
    const [frames, seconds] = media.rate
    return frame => (frame * seconds * 1000) / frames
  }
  if (!times) return null
  const { start } = times
  return frame => (start(frame) - start(0)) * 1000
}

/** Whether the times of this video are known only from its frame table. */
export const needsFrameTable = ({ captureRate, media }: CaptureRateFacts) => !captureRate && !!media && !media.captureRate && !media.rate
