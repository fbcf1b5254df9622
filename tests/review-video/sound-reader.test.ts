import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as av from 'node-av'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSoundReader, type SoundReader } from '../../src/review-video/sound-reader.ts'
import { ffmpegPath } from '../support/test-clips.ts'

const RATE = 48_000
let dir: string
let sound: SoundReader
beforeAll(async () => {
  if (!ffmpegPath) return
  dir = await mkdtemp(join(tmpdir(), 'sound-reader-'))
  const file = join(dir, 'beeps.mp4')
  // There is a tone in the first half of every odd second.
  const beeps = "aevalsrc='0.5*sin(2*PI*880*t)*eq(mod(floor(t),2),1)*lt(mod(t,1),0.5)':s=48000:d=30"
  execFileSync(ffmpegPath, ['-loglevel', 'error', '-f', 'lavfi', '-i', beeps, '-c:a', 'aac', file])
  sound = (await openSoundReader(av, file))!
})
afterAll(async () => {
  await sound?.close()
  if (dir) await rm(dir, { recursive: true })
})

/** Returns the root mean square of the sound for a duration of `seconds`, starting at `from`, which is also in seconds. */
async function loudness(from: number, seconds: number) {
  const samples = await sound.read(Math.round(from * RATE), Math.round(seconds * RATE))
  const values = new Float32Array(samples.buffer, samples.byteOffset, samples.length / 4)
  return Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / values.length)
}

test.skipIf(!ffmpegPath)('sound can be read in any order: ahead, far ahead, back, and past the end', async () => {
  for (const from of [1.1, 1.2, 5.1, 27.1, 3.1, 1.1]) {
    expect(await loudness(from, 0.3)).toBeGreaterThan(0.2)
    expect(await loudness(from + 0.5, 0.3)).toBeLessThan(0.01)
  }
  expect(await loudness(31, 0.5)).toBe(0)
  // The tone begins within 2 ms of the full second, so the reader returns the right samples.
  expect(await loudness(6.99, 0.008)).toBeLessThan(0.01)
  expect(await loudness(7.002, 0.02)).toBeGreaterThan(0.2)
})
