/** Side of the square grayscale pictures that are compared, in pixels. */
const SIDE = 64
/** The largest shift between two pictures that is searched for, in these pixels, in each direction. */
const MAX_SHIFT = 6
/** The number of pictures that are sampled, and the interval between them. */
const PICTURES = 10
const INTERVAL_SECONDS = 0.1
/** Mean shift below which a camera counts as still, in pixels of the square. */
const MAX_STILL_SHIFT = 1
/** If the browser shows no picture within this time, the check gives up. */
const SEEK_TIMEOUT_MS = 2000

export type GrayPicture = Uint8Array

/**
 * The mean shift of the whole picture from one sample to the next, in pixels. A swinging person moves only part of the picture; the
 * background shows whether the camera itself moved.
 */
export function meanShift(pictures: readonly GrayPicture[], side = SIDE): number {
  const shifts = pictures.slice(1).map((picture, i) => shiftBetween(pictures[i]!, picture, side))
  return shifts.length ? shifts.reduce((sum, shift) => sum + shift, 0) / shifts.length : 0
}

/** The shift at which two pictures match best, in pixels. */
function shiftBetween(before: GrayPicture, after: GrayPicture, side: number): number {
  let [best, shift] = [Number.POSITIVE_INFINITY, 0]
  for (let dy = -MAX_SHIFT; dy <= MAX_SHIFT; dy++)
    for (let dx = -MAX_SHIFT; dx <= MAX_SHIFT; dx++) {
      const difference = meanDifference(before, after, side, dx, dy)
      const length = Math.hypot(dx, dy)
      // Among equally good matches the smallest shift wins: an empty sky matches at every shift.
      if (difference < best - 0.5 || (Math.abs(difference - best) <= 0.5 && length < shift))
        [best, shift] = [Math.min(best, difference), length]
    }
  return shift
}

/**
 * Mean difference of the pixels that overlap once one picture is shifted. Large differences are capped, because they come from moving
 * objects.
 */
function meanDifference(before: GrayPicture, after: GrayPicture, side: number, dx: number, dy: number): number {
  const MOST = 40
  let [sum, count] = [0, 0]
  for (let y = Math.max(0, dy); y < Math.min(side, side + dy); y++)
    for (let x = Math.max(0, dx); x < Math.min(side, side + dx); x++) {
      sum += Math.min(MOST, Math.abs(after[y * side + x]! - before[(y - dy) * side + x - dx]!))
      count++
    }
  return sum / count
}

const eventOf = (video: HTMLVideoElement, event: string) =>
  new Promise<void>((resolve, reject) => {
    const signal = AbortSignal.timeout(SEEK_TIMEOUT_MS)
    video.addEventListener(event, () => resolve(), { once: true, signal })
    video.addEventListener('error', () => reject(new Error('This browser cannot decode the video.')), { once: true, signal })
    signal.addEventListener('abort', () => reject(signal.reason))
  })

/** Whether the camera moved in the first second of a video. @throws if this browser cannot show its pictures */
export async function isShaking(file: Blob): Promise<boolean> {
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = SIDE
  const context = canvas.getContext('2d', { willReadFrequently: true })!
  try {
    Object.assign(video, { muted: true, playsInline: true, preload: 'auto' })
    const isLoaded = eventOf(video, 'loadeddata')
    video.src = url
    await isLoaded
    const pictures: GrayPicture[] = []
    for (let i = 0; i < PICTURES; i++) {
      const at = i * INTERVAL_SECONDS
      if (at > video.duration - INTERVAL_SECONDS) break
      const isShown = eventOf(video, 'seeked')
      video.currentTime = at
      await isShown
      context.drawImage(video, 0, 0, SIDE, SIDE)
      const { data } = context.getImageData(0, 0, SIDE, SIDE)
      pictures.push(Uint8Array.from({ length: SIDE * SIDE }, (_, p) => (data[4 * p]! + 2 * data[4 * p + 1]! + data[4 * p + 2]!) / 4))
    }
    return meanShift(pictures) > MAX_STILL_SHIFT
  } finally {
    video.removeAttribute('src')
    video.load()
    URL.revokeObjectURL(url)
  }
}
