export const SAMPLED_PICTURE_SIDE_PIXELS = 64
/** If the browser shows no frame within this time, sampling gives up. */
const SEEK_TIMEOUT_MS = 2000

/** A square grayscale picture, one byte per pixel. */
export type GrayPicture = Uint8Array
export interface TimedGrayPicture {
  /** The requested position, which may differ slightly from that of the frame shown. */
  seconds: number
  picture: GrayPicture
}

const eventOf = (video: HTMLVideoElement, event: string) =>
  new Promise<void>((resolve, reject) => {
    const signal = AbortSignal.timeout(SEEK_TIMEOUT_MS)
    video.addEventListener(event, () => resolve(), { once: true, signal })
    video.addEventListener('error', () => reject(new Error('This browser cannot decode the video.')), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/**
 * Samples small grayscale pictures of a video file, in the order of the positions.
 * @param positionsIn returns the positions to sample, in seconds, for a video of this duration
 * @throws if this browser cannot show the video's frames, or the signal is aborted
 */
export async function sampleGrayscalePictures(
  file: Blob,
  positionsIn: (durationSeconds: number) => readonly number[],
  signal?: AbortSignal,
): Promise<TimedGrayPicture[]> {
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SAMPLED_PICTURE_SIDE_PIXELS
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  try {
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto' })
    const isLoaded = eventOf(video, 'loadeddata')
    video.src = url
    await isLoaded
    const sampled: TimedGrayPicture[] = []
    for (const seconds of positionsIn(video.duration)) {
      signal?.throwIfAborted()
      const isShown = eventOf(video, 'seeked')
      video.currentTime = seconds
      await isShown
      context.drawImage(video, 0, 0, SAMPLED_PICTURE_SIDE_PIXELS, SAMPLED_PICTURE_SIDE_PIXELS)
      const { data } = context.getImageData(0, 0, SAMPLED_PICTURE_SIDE_PIXELS, SAMPLED_PICTURE_SIDE_PIXELS)
      const gray = (_: unknown, p: number) => (data[4 * p]! + 2 * data[4 * p + 1]! + data[4 * p + 2]!) / 4
      sampled.push({ seconds, picture: Uint8Array.from({ length: SAMPLED_PICTURE_SIDE_PIXELS * SAMPLED_PICTURE_SIDE_PIXELS }, gray) })
    }
    return sampled
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}
