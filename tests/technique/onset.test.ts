import { expect, it } from 'vitest'
import { onsets } from '../../src/technique/onset.ts'

const RATE = 48_000
/** The same noise in every run. */
function noise(seed: number) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 31 - 1
  }
}
/** Two seconds, mixed of these. */
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
/** Somebody talks: tones that come and go. */
const voice = (t: number) =>
  0.2 * Math.sin(2 * Math.PI * 180 * t) * Math.max(0, Math.sin(2 * Math.PI * 3 * t)) + 0.1 * Math.sin(2 * Math.PI * 900 * t)

const at = (samples: Float32Array) => onsets(samples, RATE).map(o => o.seconds)
/** Half of a frame at 240 a second. */
const near = (found: number | undefined, meant: number) => expect(Math.abs((found ?? Number.NaN) - meant)).toBeLessThan(0.002)

it('hears a crack where it is, in silence, in wind, under a voice', () => {
  near(at(sound(crack(0.7304)))[0], 0.7304)
  near(at(sound(crack(1.2), wind(0.02)))[0], 1.2)
  near(at(sound(crack(1.2, 0.3), wind(0.01), voice))[0], 1.2)
})
it('takes the crack before the foot that came earlier, however loud that was', () => {
  near(at(sound(thump(0.5), crack(0.9, 0.4), wind(0.01)))[0], 0.9)
})
it('offers at most three, the most sudden first, and an echo is none', () => {
  const all = at(sound(crack(0.2, 0.3), crack(0.6, 0.9), crack(0.63, 0.3), crack(1.1, 0.5), crack(1.6, 0.4), wind(0.005)))
  expect(all).toHaveLength(3)
  near(all[0], 0.6)
  near(all[1], 1.1)
  near(all[2], 1.6)
})
it('hears nothing in silence and in steady noise', () => {
  expect(at(sound())).toEqual([])
  expect(at(sound(wind(0.2)))).toEqual([])
  expect(onsets(new Float32Array(0), RATE)).toEqual([])
})
