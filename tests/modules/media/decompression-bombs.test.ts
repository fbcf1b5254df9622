import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { haveSameFrames } from '../../../modules/media/preparation-process/frame-parity.ts'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { ffmpegPath } from '../../support/test-clips.ts'
import {
  mp4DeclaringSmallerPicture,
  mp4RepeatingFirstPicture,
  OPUS_TOC_OF_2_5_MS,
  soundBombMp4,
  soundBombWebm,
  webmDeclaringSmallerPicture,
} from './decompression-bombs.ts'
import { mediaTypeOf } from './media-worker-testbed.ts'

// Decompression bombs are small files whose tracks contain far more than the file declares. A preparation decodes no more than its probe
// found.

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'bombs-'))
})
afterAll(() => rm(dir, { recursive: true }))

let count = 0
const newFilePath = (name: string) => join(dir, `${count++}-${name}`)
async function writeTestFile(name: string, bytes: Uint8Array) {
  const path = newFilePath(name)
  await writeFile(path, bytes)
  return path
}
async function encodeClip(name: string, ...args: string[]) {
  const to = newFilePath(name)
  await promisify(execFile)(ffmpegPath!, ['-v', 'error', ...args, to])
  return to
}
const probe = (path: string) => readContainerFile(path, mediaTypeOf(path))
const code = (work: Promise<unknown>) => work.then(() => 'made').catch(error => error.code ?? error)
const bytesOf = async (path: string) => new Uint8Array(await readFile(path))

test('a track with too many packets, or with more bytes than its file, is refused', async () => {
  const small = await soundBombMp4()
  expect(small.length).toBeLessThan(80_000)
  // The sound packets have a duration of 0, so a million of them fit into two seconds of video.
  expect(await code(probe(await writeTestFile('dense.mp4', await soundBombMp4({ ticks: 0 }))))).toBe('sound')
  expect(await code(probe(await writeTestFile('dense.webm', await soundBombWebm())))).toBe('sound')
  const pictures = mp4RepeatingFirstPicture(await bytesOf(sampleVideos.mov), 60_000)
  expect(pictures.length).toBeLessThan(500_000)
  expect(await code(probe(await writeTestFile('pictures.mp4', pictures)))).toBe('damaged')
})

describe.skipIf(!ffmpegPath)('preparing a file with oversized tracks (needs ffmpeg)', () => {
  const render = async (path: string, facts?: Awaited<ReturnType<typeof readContainerFile>>) => {
    const out = newFilePath('rendition.mp4')
    await (await loadMediaEngine()).render(path, out, facts ?? (await probe(path)), () => {})
    return out
  }

  test('cuts off the sound at the end of the video', async () => {
    // The sound lasts hours, and decoding it would take minutes.
    const bomb = await writeTestFile('long.mp4', await soundBombMp4())
    const out = await render(bomb)
    expect(haveSameFrames((await probe(bomb)).table, (await probe(out)).table)).toBe(true)
    const sound = (await new Input({ source: new FilePathSource(out), formats: ALL_FORMATS }).getPrimaryAudioTrack())!
    expect(await sound.computeDuration()).toBeLessThan(2.1)
  })

  test.each([
    ['an MP4', 'large.mp4', mp4DeclaringSmallerPicture, ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']],
    ['a WEBM', 'large.webm', webmDeclaringSmallerPicture, ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8']],
    ['a WEBM of VP9', 'large-9.webm', webmDeclaringSmallerPicture, ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8']],
  ])('stops at a frame that is larger than %s declares', async (_, name, shrunk, encode) => {
    const large = await encodeClip(name, '-f', 'lavfi', '-i', 'color=s=2048x2048:r=30:d=0.1', ...encode)
    const bomb = await writeTestFile(name, shrunk(await bytesOf(large)))
    const facts = await probe(bomb)
    expect(facts.picture).toMatchObject({ width: 320, height: 240 })
    expect(await code(render(bomb))).toBe('other-size')
  })

  test('refuses a WEBM if its frame size grows, but not if it shrinks', async () => {
    const part = (size: string) =>
      encodeClip(`${size}.webm`, '-f', 'lavfi', '-i', `testsrc2=s=${size}:r=30:d=1`, '-c:v', 'libvpx', '-b:v', '1M')
    const [small, large] = [await part('320x240'), await part('640x480')]
    const joined = async (...parts: string[]) => {
      const list = await writeTestFile('list.txt', Buffer.from(parts.map(path => `file '${path}'`).join('\n')))
      return encodeClip('joined.webm', '-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy')
    }
    expect(await code(render(await joined(small, large)))).toBe('other-size')
    const shrinking = await joined(large, small)
    const { media, table } = await probe(await render(shrinking))
    expect([media.width, media.height, media.frames]).toEqual([640, 480, 60])
    expect(haveSameFrames((await probe(shrinking)).table, table)).toBe(true)
  })

  test.each([
    ['is no multiple of a block', 'testsrc2=s=1278x718:r=30:d=0.2', []],
    ['has pixels that are not square', 'testsrc2=s=360x240:r=30:d=0.2,setsar=4/3', []],
    ['is interlaced', 'testsrc2=s=1920x1080:r=30:d=0.2', ['-flags', '+ildct+ilme', '-x264-params', 'tff=1']],
  ])('accepts a picture that %s', async (_, source, options) => {
    const file = await encodeClip(
      'odd.mp4',
      '-f',
      'lavfi',
      '-i',
      source,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      ...options,
    )
    expect(await code(render(file))).toBe('made')
    const turned = await encodeClip('turned.mp4', '-display_rotation', '90', '-i', file, '-c', 'copy').catch(() => null)
    if (turned) expect(await code(render(turned))).toBe('made')
  })
})

test('a preparation decodes no more packets than its probe found', async () => {
  const { render } = await loadMediaEngine()
  const facts = await probe(sampleVideos.mp4)
  const [{ packets, bytes }, out] = [facts.picture, newFilePath('out.mp4')]
  const renderWith = (picture: Partial<typeof facts.picture>) =>
    render(sampleVideos.mp4, out, { ...facts, picture: { ...facts.picture, ...picture } }, () => {})
  expect(await code(renderWith({ packets: packets - 1 }))).toBe('damaged')
  expect(await code(renderWith({ bytes: bytes / 2 }))).toBe('damaged')
  expect(await code(renderWith({}))).toBe('made')
  // Pretend that the probe has not checked the sound packets.
  const tracks = { video: { id: 1, place: 1 }, audio: { id: 2, place: 1 } }
  const uncheckedFacts = { ...(await probe(sampleVideos.mov)), tracks, starts: { video: 0, audio: 0, shown: 0 } }
  const rendered = async (bomb: Uint8Array) => code(render(await writeTestFile('dense.mp4', bomb), out, uncheckedFacts, () => {}))
  expect(await rendered(await soundBombMp4({ ticks: 0, packet: OPUS_TOC_OF_2_5_MS }))).toBe('sound')
  // If the sound of a two-second video decodes to more than 64 s, the engine stops decoding it and still makes the rendition.
  expect(await rendered(await soundBombMp4({ ticks: 0 }))).toBe('made')
})
