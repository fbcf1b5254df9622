import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameCount } from '../../../modules/media/frames.ts'
import { MAX_FRAMES_PER_KEYFRAME } from '../../../modules/media/policy.ts'
import { haveSameFrames } from '../../../modules/media/preparation-process/frame-parity.ts'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import {
  type ClipName,
  ensureTestClip,
  expectedClipFrameNumbers,
  ffmpegPath,
  readBurnedInFrameNumbers,
  testClipNames,
} from '../../support/test-clips.ts'
import { mediaTypeOf } from './media-worker-testbed.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'renditions-'))
})
afterAll(() => rm(dir, { recursive: true }))

async function rendered(name: ClipName) {
  const original = await readContainerFile(await ensureTestClip(name), mediaTypeOf(name))
  const out = join(dir, `${name}.mp4`)
  await (await loadMediaEngine()).render(await ensureTestClip(name), out, original, () => {})
  return { original, out, made: await readContainerFile(out, 'video/mp4') }
}

/**
 * Returns the longest distance between keyframes, in frames, whether any frame is shown before one that is decoded earlier, and the codec
 * level.
 */
async function structure(file: string) {
  const { ALL_FORMATS, EncodedPacketSink, FilePathSource, Input } = await import('mediabunny')
  const track = (await new Input({ source: new FilePathSource(file), formats: ALL_FORMATS }).getPrimaryVideoTrack())!
  let [since, longest, last, reordered] = [0, 0, Number.NEGATIVE_INFINITY, false]
  for await (const packet of new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true })) {
    since = packet.type === 'key' ? 1 : since + 1
    longest = Math.max(longest, since)
    reordered ||= packet.timestamp < last
    last = packet.timestamp
  }
  const level = Number.parseInt((await track.getCodecParameterString())!.slice(-2), 16)
  return { longest, reordered, level }
}

/** Returns the times at which a file's sound and picture end, in seconds. `sound` is null if the file has none. */
async function ends(file: string) {
  const { ALL_FORMATS, FilePathSource, Input } = await import('mediabunny')
  const input = new Input({ source: new FilePathSource(file), formats: ALL_FORMATS })
  const [sound, picture] = [await input.getPrimaryAudioTrack(), await input.getPrimaryVideoTrack()]
  return { sound: (await sound?.computeDuration()) ?? null, picture: await picture!.computeDuration() }
}

describe.skipIf(!ffmpegPath)('a rendition (needs ffmpeg)', () => {
  test.each(testClipNames)('has the frames of its original in order and at the same times: %s', async name => {
    const { original, out, made } = await rendered(name)
    const shown = expectedClipFrameNumbers(name)
    expect(frameCount(original.table)).toBe(shown.length)
    expect(haveSameFrames(original.table, made.table)).toBe(true)
    expect(await readBurnedInFrameNumbers(out)).toEqual(shown)
    expect(made.media).toMatchObject({ codec: 'avc', rotation: 0, hdr: false, width: original.media.width, sound: original.media.sound })
    expect(made.table.first).toBe(0)
    expect(Math.abs(made.media.milliseconds - original.media.milliseconds)).toBeLessThanOrEqual(1)
    expect(await structure(out)).toEqual({
      longest: expect.toSatisfy((n: number) => n <= MAX_FRAMES_PER_KEYFRAME),
      reordered: false,
      level: expect.toSatisfy((n: number) => n <= 31),
    })
    // The index comes before the media, so that playback can start before the whole file is loaded.
    const bytes = await readFile(out)
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  })

  test('is padded with silence if its sound ends before the picture', async () => {
    expect((await ends(await ensureTestClip('24.mp4'))).sound).toBeLessThan(2)
    const { sound, picture } = await ends((await rendered('24.mp4')).out)
    expect(sound).toBeGreaterThanOrEqual(picture)
    expect(sound).toBeLessThan(picture + 0.1)
  })

  // The privacy policy promises this.
  test('does not contain the place and time of the recording', async () => {
    const tagged = join(dir, 'tagged.mov')
    const tagsOfPlace = [
      'location=+41.8781-087.6298/',
      'com.apple.quicktime.location.ISO6709=+41.8781-087.6298/',
      'creation_time=2025-04-28T16:00:00Z',
    ]
    const tags = [...tagsOfPlace.flatMap(tag => ['-metadata', tag]), '-metadata:s:v:0', 'handler_name=At 41.8781']
    const source = await ensureTestClip('hevc.mov')
    execFileSync(ffmpegPath!, ['-v', 'error', '-y', '-i', source, '-c', 'copy', ...tags, '-movflags', 'use_metadata_tags', tagged])
    expect((await readFile(tagged)).includes('41.8781')).toBe(true)
    const out = join(dir, 'untagged.mp4')
    await (await loadMediaEngine()).render(tagged, out, await readContainerFile(tagged, 'video/quicktime'), () => {})
    const made = await readFile(out)
    expect(made.includes('41.8781')).toBe(false)
    // The creation time in the header, in seconds since 1904.
    expect(made.readUInt32BE(made.indexOf('mvhd') + 8)).toBe(0)
  })
})
