/** Pictures are compared as squares of so many pixels, in gray. */
const SIDE = 64
/** A picture may have moved by so many of these pixels to each side, from one to the next. */
const MAX_SHIFT = 6
/** So many pictures are looked at, so far apart. */
const PICTURES = 10
const INTERVAL_SECONDS = 0.1
/** A camera is held still where pictures move by less than this on the mean, in pixels of the square. */
const MAX_STILL_SHIFT = 1
/** A device that shows no picture for so long is not asked any further. */
const SEEK_TIMEOUT_MS = 2000

export type GrayPicture = Uint8Array

/**
 * By how many pixels the whole picture moves from one to the next, on the mean. Whoever swings moves a part of it; what stands around shows
 * whether the camera itself moved.
 */
export function meanShift(pictures: readonly GrayPicture[], side = SIDE): number {
  const shifts = pictures.slice(1).map((picture, i) => shiftBetween(pictures[i]!, picture, side))
  return shifts.length ? shifts.reduce((sum, shift) => sum + shift, 0) / shifts.length : 0
}

/** The shift at which two pictures are most alike, in pixels. */
function shiftBetween(before: GrayPicture, after: GrayPicture, side: number): number {
  let [best, shift] = [Number.POSITIVE_INFINITY, 0]
  for (let dy = -MAX_SHIFT; dy <= MAX_SHIFT; dy++)
    for (let dx = -MAX_SHIFT; dx <= MAX_SHIFT; dx++) {
      const difference = meanDifference(before, after, side, dx, dy)
      const length = Math.hypot(dx, dy)
      // Of two that are equally alike the smaller shift: an empty sky is alike at all of them.
      if (difference < best - 0.5 || (Math.abs(difference - best) <= 0.5 && length < shift))
        [best, shift] = [Math.min(best, difference), length]
    }
  return shift
}

/** Mean difference of the pixels that both pictures have once one of them is shifted; what differs much is something that moved by itself. */
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

/** Whether the camera moved in the first second of a video. @throws where this browser shows no pictures of it */
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
