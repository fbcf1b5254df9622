import { expect, test } from 'vitest'
import { meanCameraShift } from '../../src/upload/camera-motion.ts'
import type { GrayPicture } from '../../src/upload/sample-pictures.ts'

const SIDE = 64
/** A fence, a wall and grass, seen from a camera that is moved by so many pixels. */
const background = (x: number, y: number) => 128 + 60 * Math.sin(x / 3) + 40 * Math.sin(y / 5 + x / 11) + ((x * 7 + y * 13) % 9)
function picture(dx: number, dy: number, player?: { x: number; size: number }): GrayPicture {
  return Uint8Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)]
    const isPlayer = player && Math.abs(x - player.x) < player.size / 2 && y > 10
    return isPlayer ? 20 : background(x + dx, y + dy)
  })
}
const film = (motion: (i: number) => [number, number], player?: (i: number) => { x: number; size: number }) =>
  Array.from({ length: 10 }, (_, i) => picture(...motion(i), player?.(i)))

test('a camera that is held still has no shift, however the player moves', () => {
  expect(meanCameraShift(film(() => [0, 0]))).toBe(0)
  expect(
    meanCameraShift(
      film(
        () => [0, 0],
        i => ({ x: 20 + 2 * i, size: 14 }),
      ),
    ),
  ).toBeLessThan(0.5)
})

test('a camera that shakes or pans moves the whole picture', () => {
  expect(meanCameraShift(film(i => [i % 2 ? 3 : 0, i % 3 ? 2 : 0]))).toBeGreaterThan(2)
  expect(
    meanCameraShift(
      film(
        i => [3 * i, 0],
        i => ({ x: 30 - i, size: 14 }),
      ),
    ),
  ).toBeGreaterThan(2)
})

test('an empty picture gives no result about the camera', () => {
  expect(meanCameraShift([new Uint8Array(SIDE * SIDE), new Uint8Array(SIDE * SIDE)])).toBe(0)
  expect(meanCameraShift([])).toBe(0)
})
