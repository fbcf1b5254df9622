import { expect, test } from 'vitest'
import { meanCameraShift } from '../../src/upload/detect-camera-shake.ts'
import type { GrayPicture } from '../../src/upload/sample-grayscale-pictures.ts'

const SIDE = 64
/** The brightness of a patterned background at a point. */
const background = (x: number, y: number) => 128 + 60 * Math.sin(x / 3) + 40 * Math.sin(y / 5 + x / 11) + ((x * 7 + y * 13) % 9)
/** The background, seen by a camera that has moved by `dx` and `dy` pixels, with an optional player in front of it. */
function picture(dx: number, dy: number, player?: { x: number; size: number }): GrayPicture {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
    const isPlayer = player && Math.abs(x - player.x) < player.size / 2 && y > 10
    return isPlayer ? 20 : background(x + dx, y + dy)
  })
}
const pictures = (motion: (i: number) => [number, number], player?: (i: number) => { x: number; size: number }) =>
  Array.from({ length: 10 }, (_, i) => picture(...motion(i), player?.(i)))

test('a still camera has no shift, even if the player moves', () => {
  expect(meanCameraShift(pictures(() => [0, 0]))).toBe(0)
  expect(
    meanCameraShift(
      pictures(
        () => [0, 0],
        i => ({ x: 20 + 2 * i, size: 14 }),
      ),
    ),
  ).toBeLessThan(0.5)
})

test('a camera that shakes or pans has a shift', () => {
  expect(meanCameraShift(pictures(i => [i % 2 ? 3 : 0, i % 3 ? 2 : 0]))).toBeGreaterThan(2)
  expect(
    meanCameraShift(
      pictures(
        i => [3 * i, 0],
        i => ({ x: 30 - i, size: 14 }),
      ),
    ),
  ).toBeGreaterThan(2)
})

test('pictures without contrast have no shift', () => {
  expect(meanCameraShift([new Uint8Array(SIDE * SIDE), new Uint8Array(SIDE * SIDE)])).toBe(0)
  expect(meanCameraShift([])).toBe(0)
})
