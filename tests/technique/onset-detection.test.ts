import { expect, it } from 'vitest'
import { detectOnsets } from '../../src/technique/onset-detection.ts'

const RATE = 48_000
/** Creates a source of noise between −1 and 1 that is the same in every run. */
function noise(seed: number) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 31 - 1
  }
}
/** Two seconds of sound, mixed from these parts. */
const sound = (...parts: ((t: number) => number)[]) =>
  Float32Array.from({ length: 2 * RATE }, (_, i) => parts.reduce((sum, part) => sum + part(i / RATE), 0))
const crack = (at: number, loud = 0.8) => {
  const random = noise(7)
  return (t: number) => (t < at ? 0 : loud * random() * Math.exp(-(t - at) * 300))
}
const thump = (at: number) => (t: number) => (t < at ? 0 : 0.9 * Math.sin(2 * Math.PI * 80 * (t - at)) * Math.exp(-(t - at) * 30))
const wind = (loud: number) => {
  const random = noise(3)
  return () => loud * random()
}
/** Stands in for a voice: a tone that comes and goes, and a steady one. */
const voice = (t: number) =>
  0.2 * Math.sin(2 * Math.PI * 180 * t) * Math.max(0, Math.sin(2 * Math.PI * 3 * t)) + 0.1 * Math.sin(2 * Math.PI * 900 * t)

const at = (samples: Float32Array) => detectOnsets(samples, RATE).map(o => o.seconds)
/** Expects a time within half a frame at 240 frames per second, about 2 ms. */
const near = (found: number | undefined, meant: number) => expect(Math.abs((found ?? Number.NaN) - meant)).toBeLessThan(0.002)

it('the crack of a bat is found in silence, in wind and under a voice', () => {
  near(at(sound(crack(0.7304)))[0], 0.7304)
  near(at(sound(crack(1.2), wind(0.02)))[0], 1.2)
  near(at(sound(crack(1.2, 0.3), wind(0.01), voice))[0], 1.2)
})
it('a sudden crack ranks before an earlier, louder footstep', () => {
  near(at(sound(thump(0.5), crack(0.9, 0.4), wind(0.01)))[0], 0.9)
})
it('at most three sounds are found, most sudden first, without echoes', () => {
  const all = at(sound(crack(0.2, 0.3), crack(0.6, 0.9), crack(0.63, 0.3), crack(1.1, 0.5), crack(1.6, 0.4), wind(0.005)))
  expect(all).toHaveLength(3)
  near(all[0], 0.6)
  near(all[1], 1.1)
  near(all[2], 1.6)
})
it('no sound is found in silence or in steady noise', () => {
  expect(at(sound())).toEqual([])
  expect(at(sound(wind(0.2)))).toEqual([])
  expect(detectOnsets(new Float32Array(0), RATE)).toEqual([])
})
