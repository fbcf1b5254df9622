import type { FrameTimeline } from '../../modules/media/frames.ts'
import { guessTimeline, type VideoElementSource, type VideoPlayerClip } from '../player/clip-source.ts'
import { toRealTimeline } from './comparison-timing.ts'
import { FrameDecoder } from './frame-decoder.ts'
import { readVideoPackets } from './mp4-packets.ts'
import type { PictureSource } from './picture-source-types.ts'
import { VideoFollower } from './video-synced-to-clock.ts'

/** A clip of a comparison that is ready to be shown. */
export interface LoadedComparisonClip {
  source: VideoElementSource
  /** When each frame is shown: `timeline` has the file's own times, `realTimeline` the real times. */
  timeline: FrameTimeline
  realTimeline: FrameTimeline
  pictures: PictureSource
  /** Whether each picture is guaranteed to show exactly the frame reported with it. A <video> cannot guarantee this. */
  isExact: boolean
  /** Width divided by height. */
  aspectRatio: number
}

interface ClipOptions {
  /** Whether to decode single frames if the browser can. */
  exact: boolean
  /** Returns the <video> that shows the clip if its frames cannot be decoded one by one, or if `exact` is false. */
  video: () => HTMLVideoElement
  /** Called whenever a picture becomes ready. */
  onPicture: () => void
  /** Called when decoding has failed after the clip was opened, and the <video> has taken over. */
  onFallback: () => void
  /** Called when nothing can show the clip. */
  onFailed: () => void
}

/** Opens a clip and chooses how to show it: by decoding single frames of its rendition, or with a <video> that follows the clock. */
export async function openComparedClip(
  clip: VideoPlayerClip,
  source: VideoElementSource,
  { exact, video, onPicture, onFallback, onFailed }: ClipOptions,
): Promise<LoadedComparisonClip> {
  const timeline = source.timeline ?? guessTimeline(clip, (clip.media?.milliseconds ?? 10_000) / 1000)
  const realTimeline = toRealTimeline(timeline, clip.media?.captureRate?.rate)
  const { width, height } = clip.rendition ?? {}
  const size = { width: width || clip.media?.width || 16, height: height || clip.media?.height || 9 }
  const common = { source, timeline, realTimeline, aspectRatio: size.width / size.height }
  const followVideo = () => new VideoFollower(video(), source, timeline, realTimeline, onPicture, onFailed)
  const packets =
    exact && source.blob
      ? await source.blob
          .arrayBuffer()
          .then(readVideoPackets)
          .catch(() => null)
      : null
  if (!packets || packets.count !== timeline.frames || !(await FrameDecoder.canDecode(packets)))
    return { ...common, isExact: false, pictures: followVideo() }
  const prepared: LoadedComparisonClip = { ...common, isExact: true, pictures: new FrameDecoder(packets, onPicture, () => fallBack()) }
  const fallBack = () => {
    prepared.pictures = followVideo()
    prepared.isExact = false
    onFallback()
  }
  return prepared
}

/** Stops all decoding of a clip and releases its source. */
export function closeComparedClip({ pictures, source }: LoadedComparisonClip) {
  pictures.close()
  source.release()
}

/**
 * Waits until both clips are open. Rejects as soon as one of them fails, or if `signal` is aborted by the time both are open. When it
 * rejects, it closes each clip that is already open or opens later.
 */
export async function waitForBothClipsToOpen(
  opening: readonly [Promise<LoadedComparisonClip>, Promise<LoadedComparisonClip>],
  signal: AbortSignal,
): Promise<[LoadedComparisonClip, LoadedComparisonClip]> {
  try {
    const clips = await Promise.all(opening)
    signal.throwIfAborted()
    return clips
  } catch (error) {
    // Nothing else awaits these promises, so close the clips here. Ignore the promises' own errors, because `error` is thrown.
    for (const clip of opening) clip.then(closeComparedClip, () => {})
    throw error
  }
}
