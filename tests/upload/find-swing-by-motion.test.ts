import { describe, expect, test } from 'vitest'
import { evenlySpacedSeconds, timeOfMostMotion } from '../../src/upload/find-swing-by-motion.ts'
import { SAMPLED_PICTURE_SIDE_PIXELS, type TimedGrayPicture } from '../../src/upload/sample-grayscale-pictures.ts'

/** A wall with sensor noise, seen by a camera that has panned by `pan` pixels, with an optional bat at `bat` pixels from the left. */
function picture(n: number, { pan = 0, bat }: { pan?: number; bat?: number | undefined }) {
  return Uint8Array.from({ length: SAMPLED_PICTURE_SIDE_PIXELS ** 2 }, (_, i) => {
    const [x, y] = [i % SAMPLED_PICTURE_SIDE_PIXELS, Math.floor(i / SAMPLED_PICTURE_SIDE_PIXELS)]
    if (bat !== undefined && Math.abs(x - bat) < 3 && y > 20 && y < 44) return 20
    return 128 + 50 * Math.sin((x + pan) / 3) + ((n * 31 + i * 17) % 9)
  })
}
const film = (seconds: number, sceneAt: (at: number) => Parameters<typeof picture>[1]): TimedGrayPicture[] =>
  evenlySpacedSeconds(seconds).map((at, n) => ({ seconds: at, picture: picture(n, sceneAt(at)) }))
const swingAt = (moment: number) => (at: number) => ({ bat: Math.abs(at - moment) < 0.4 ? 32 + 50 * (at - moment) : 12 })

describe('the second with the most motion', () => {
  test.each([3, 11.5, 27])('is when an otherwise still player swings, at %d s', moment => {
    expect(Math.abs(timeOfMostMotion(film(30, swingAt(moment)))! - moment)).toBeLessThan(0.4)
  })

  test('is found even if the camera shakes slightly all the time', () => {
    const shaking = film(30, at => ({ ...swingAt(20)(at), pan: 0.1 * Math.sin(at * 9) }))
    expect(Math.abs(timeOfMostMotion(shaking)! - 20)).toBeLessThan(0.4)
  })

  test('is null if nobody moves or the camera pans all the time', () => {
    expect(timeOfMostMotion(film(30, () => ({ bat: 12 })))).toBeNull()
    expect(timeOfMostMotion(film(30, at => ({ ...swingAt(15)(at), pan: at * 8 })))).toBeNull()
    expect(timeOfMostMotion([])).toBeNull()
  })
})

test('a video is sampled every 0.2 s, and at most 150 times', () => {
  expect(evenlySpacedSeconds(10)).toHaveLength(50)
  expect(evenlySpacedSeconds(600)).toHaveLength(150)
  for (const seconds of [0.1, 3, 41, 600]) expect(evenlySpacedSeconds(seconds).every(at => at < seconds)).toBe(true)
})
