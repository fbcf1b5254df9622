import { type GrayPicture, SAMPLED_PICTURE_SIDE_PIXELS, sampleGrayscalePictures } from './sample-grayscale-pictures.ts'

/** The largest shift between two pictures that the search tries, in each direction, in pixels of the sampled square. */
const MAX_SHIFT = 6
/** The number of pictures that are sampled, and the interval between them. */
const SAMPLED_PICTURES = 10
const INTERVAL_SECONDS = 0.1
/** The largest mean shift at which a camera counts as still, in pixels of the square. */
const MAX_STILL_SHIFT = 1

/**
 * The mean shift of the whole picture from one sample to the next, in pixels. A swing moves only part of the picture, so a shift of the
 * whole picture means that the camera moved.
 */
export function meanCameraShift(pictures: readonly GrayPicture[], side = SAMPLED_PICTURE_SIDE_PIXELS): number {
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
  const MAX_DIFFERENCE = 40
  let [sum, count] = [0, 0]
  for (let y = Math.max(0, dy); y < Math.min(side, side + dy); y++)
    for (let x = Math.max(0, dx); x < Math.min(side, side + dx); x++) {
      sum += Math.min(MAX_DIFFERENCE, Math.abs(after[y * side + x]! - before[(y - dy) * side + x - dx]!))
      count++
    }
  return sum / count
}

/** Whether the camera moved in the first second of a video. @throws if this browser cannot show its frames */
export async function isCameraShaking(file: Blob): Promise<boolean> {
  const sampled = await sampleGrayscalePictures(file, duration =>
    Array.from({ length: SAMPLED_PICTURES }, (_, i) => i * INTERVAL_SECONDS).filter(at => at <= duration - INTERVAL_SECONDS),
  )
  return meanCameraShift(sampled.map(({ picture }) => picture)) > MAX_STILL_SHIFT
}
