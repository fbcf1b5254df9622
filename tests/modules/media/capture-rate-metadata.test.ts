import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { ensureTestClip, ffmpegPath } from '../../support/test-clips.ts'
import { joinBytes as joined, mp4Box } from './container-builders.ts'

/** Tests of the metadata that phones store in their video files, such as the capture rate, written as the phones write it. */

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'camera-'))
})
afterAll(() => rm(dir, { recursive: true }))

const u32 = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
const text = (words: string) => [...new TextEncoder().encode(words)]
const TEXT = 1
const FLOAT = 23
const INTEGER = 21
type Value = [type: number, bytes: number[]]
const float = (n: number): Value => [FLOAT, [...new Uint8Array(new Float32Array([n]).buffer)].reverse()]
const integer = (n: number): Value => [INTEGER, [n]]
const words = (s: string): Value => [TEXT, text(s)]

/** Builds a box of names and values in Apple's `mdta` format. It has no version in a MOV, but has one in an MP4 (as Android writes it). */
function meta(metadata: Record<string, Value>, versioned: boolean): Uint8Array {
  const names = Object.keys(metadata)
  const handler = mp4Box('hdlr', u32(0), u32(0), text('mdta'), new Uint8Array(13))
  const keys = mp4Box(
    'keys',
    u32(0),
    u32(names.length),
    ...names.map(name => {
      const bytes = text(name)
      return joined(u32(bytes.length + 8), text('mdta'), bytes)
    }),
  )
  const items = Object.values(metadata).map(([type, bytes], i) => {
    const data = mp4Box('data', u32(type), u32(0), bytes)
    return joined(u32(data.length + 8), u32(i + 1), data)
  })
  return mp4Box('meta', ...(versioned ? [u32(0)] : []), handler, keys, mp4Box('ilst', ...items))
}

/** Copies a file and adds metadata to its `moov` box, which moves to the end so that no offset changes. @returns the copy's path */
async function withMetadata(file: string, metadata: Record<string, Value>, name: string): Promise<string> {
  const bytes = await readFile(file)
  const at = bytes.lastIndexOf('moov') - 4
  const movie = bytes.subarray(at + 8, at + bytes.readUInt32BE(at))
  const moved = mp4Box('moov', movie, meta(metadata, !file.endsWith('.mov')))
  bytes.write('free', at + 4)
  const path = join(dir, name)
  await writeFile(path, joined(bytes, moved))
  return path
}
const mediaOf = async (path: string) => (await readContainerFile(path, path.endsWith('.mov') ? 'video/quicktime' : 'video/mp4')).media

/** Metadata as an iPhone's camera writes it. */
const iphone = {
  'com.apple.quicktime.location.accuracy.horizontal': words('4.7'),
  'com.apple.quicktime.full-frame-rate-playback-intent': integer(0),
  'com.apple.quicktime.make': words('Apple'),
  'com.apple.quicktime.model': words('iPhone 15 Pro'),
  'com.apple.quicktime.software': words('18.1'),
  'com.apple.quicktime.creationdate': words('2026-05-02T16:20:11-0700'),
}

test('the metadata of an Android slow-motion file gives its capture rate', async () => {
  const path = await withMetadata(
    sampleVideos.mp4,
    { 'com.android.version': words('15'), 'com.android.capture.fps': float(240) },
    'VID_20260502.mp4',
  )
  expect(await mediaOf(path)).toMatchObject({ rate: [30, 1], frames: 60, captureRate: { rate: 240, by: 'file' } })
})

test('an Android file that plays at its capture rate is not slow motion', async () => {
  const path = await withMetadata(sampleVideos.mp4, { 'com.android.capture.fps': float(30) }, 'VID_20260503.mp4')
  expect(await mediaOf(path)).toMatchObject({ rate: [30, 1], captureRate: null })
})

test('iPhone metadata does not change the frame rate of an ordinary video', async () => {
  const path = await withMetadata(sampleVideos.mov, iphone, 'IMG_0001.mov')
  expect(await mediaOf(path)).toMatchObject({ rate: [30, 1], frames: 60, captureRate: null })
})

test.skipIf(!ffmpegPath)("an iPhone's slow-motion original plays 240 frames per second (needs ffmpeg)", async () => {
  const path = await withMetadata(await ensureTestClip('240.mov'), iphone, 'IMG_0002.mov')
  expect(await mediaOf(path)).toMatchObject({ container: 'mov', rate: [240, 1], frames: 300, variable: false, captureRate: null })
})

test.skipIf(!ffmpegPath)('an exported slow motion has the capture rate of its fast parts (needs ffmpeg)', async () => {
  const path = await withMetadata(
    await ensureTestClip('mixed.mov'),
    { ...iphone, 'com.apple.quicktime.full-frame-rate-playback-intent': integer(1) },
    'IMG_0003.mov',
  )
  expect(await mediaOf(path)).toMatchObject({ variable: true, frames: 240, captureRate: { rate: 240, by: 'file' } })
})
