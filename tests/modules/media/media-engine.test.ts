import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ALL_FORMATS, FilePathSource, Input } from 'mediabunny'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { haveSameFrames } from '../../../modules/media/preparation-process/frame-parity.ts'
import { loadMediaEngine } from '../../../modules/media/preparation-process/media-engine.ts'
import { readContainerFile } from '../../../modules/media/preparation-process/read-container-file.ts'
import { filmstripFrames, posterFrame } from '../../../modules/media/preparation-process/rendition-and-still-settings.ts'
import type { ContainerFacts } from '../../../modules/media/read-container.ts'
import { sampleVideos } from '../../support/sample-media.ts'
import { ensureTestClip, ffmpegPath, readBurnedInFrameNumbers } from '../../support/test-clips.ts'
import { mediaTypeOf } from './media-worker-testbed.ts'
import { buildMp4 } from './mp4-builder.ts'

/** Tests how the engine renders sound, which stills it makes, and what it refuses. */

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'engines-'))
})
afterAll(() => rm(dir, { recursive: true }))

let count = 0
const newFilePath = (name: string) => join(dir, `${count++}-${name}`)
async function encodeClip(name: string, ...args: string[]) {
  const to = newFilePath(name)
  await promisify(execFile)(ffmpegPath!, ['-v', 'error', ...args, to])
  return to
}
const tone = (seconds: number, layout = 'stereo', rate = 44_100) => [
  ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=${rate}:duration=${seconds},aformat=channel_layouts=${layout}`],
]
/** Decodes a file's sound to mono samples, 48,000 per second, beginning at time 0 of the file's clock. */
async function heardIn(file: string) {
  const { stdout } = await promisify(execFile)(
    ffmpegPath!,
    ['-v', 'error', '-i', file, '-af', 'aresample=48000:async=1:first_pts=0', '-ac', '1', '-f', 's16le', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 2 ** 28 },
  )
  return Array.from({ length: stdout.length / 2 }, (_, i) => stdout.readInt16LE(i * 2))
}
/** Gives an MP4's sound track, or its video track, an unknown codec name. Changes the file in place. */
function withUnknownCodec(file: Buffer, [codec, details] = ['mp4a', 'esds']) {
  const at = file.indexOf(codec!, file.lastIndexOf('moov'))
  file.write('????', at)
  file.write('free', file.indexOf(details!, at))
  return file
}
const code = (work: Promise<unknown>) => work.then(() => 'made').catch(error => error.code)

/** Reads the number that is burned into a part of a picture, as `readBurnedInFrameNumbers` does. */
async function numberOn(file: string, left: number, top: number, width: number, height: number) {
  const part = await sharp(file).extract({ left, top, width, height }).png().toBuffer()
  const rows = Math.floor(height / 8) * 2
  const gray = await sharp(part)
    .extract({ left: 0, top: 0, width, height: rows })
    .greyscale()
    .resize(12, 2, { fit: 'fill' })
    .raw()
    .toBuffer()
  return Array.from({ length: 12 }, (_, bit) => (gray[bit]! > gray[bit + 12]! ? 1 << bit : 0)).reduce((a, b) => a + b)
}

describe.skipIf(!ffmpegPath)('the media engine (needs ffmpeg)', () => {
  const voice = async (file: string, type: 'audio/webm' | 'audio/mp4' | 'audio/ogg') => {
    const out = newFilePath('voice.m4a')
    await (await loadMediaEngine()).voice(file, type, out)
    return out
  }
  const render = async (file: string, facts: ContainerFacts, progress: (part: number) => void = () => {}) => {
    const out = newFilePath('rendition.mp4')
    await (await loadMediaEngine()).render(file, out, facts, progress)
    return out
  }

  test.each([
    ['audio/webm', 'voice.webm', ['-c:a', 'libopus']],
    ['audio/mp4', 'voice.mp4', ['-c:a', 'aac']],
    ['audio/ogg', 'voice.ogg', ['-c:a', 'libopus']],
  ] as const)('turns a voice-over in %s into mono AAC from its first sound on, without metadata', async (type, name, how) => {
    // The timestamps of some recorders do not begin at 0.
    const file = await encodeClip(name, ...tone(1.5), '-af', 'asetpts=PTS+0.7/TB', '-metadata', 'title=At 41.8781', ...how)
    const out = await voice(file, type)
    const track = (await new Input({ source: new FilePathSource(out), formats: ALL_FORMATS }).getPrimaryAudioTrack())!
    expect([track.codec, track.numberOfChannels, track.sampleRate]).toEqual(['aac', 1, 48_000])
    const sound = await heardIn(out)
    expect(sound.length / 48_000).toBeGreaterThan(1.49)
    expect(sound.length / 48_000).toBeLessThan(1.57)
    expect(sound.findIndex(level => Math.abs(level) > 1000) / 48_000).toBeLessThan(0.1)
    const bytes = await readFile(out)
    expect([bytes.includes('41.8781'), bytes.indexOf('moov') < bytes.indexOf('mdat')]).toEqual([false, true])
    // 1.5 s at 48,000 bits per second takes 9,000 bytes; the rest is the index.
    expect(bytes.length).toBeLessThan(15_000)
  })

  test('refuses a voice-over of random bytes, of another container, or without sound', async () => {
    const noise = newFilePath('noise')
    await writeFile(noise, new Uint8Array(3000).fill(60))
    expect(await code(voice(noise, 'audio/webm'))).toBe('damaged')
    expect(await code(voice(await encodeClip('voice.ogg', ...tone(1), '-c:a', 'libopus'), 'audio/webm'))).toBe('damaged')
    expect(await code(voice(await encodeClip('voice.webm', ...tone(1), '-c:a', 'libopus'), 'audio/mp4'))).toBe('damaged')
    expect(await code(voice(await encodeClip('voice.webm', ...tone(1), '-c:a', 'libopus'), 'audio/ogg'))).toBe('damaged')
    const empty = newFilePath('empty.mp4')
    await writeFile(empty, buildMp4({ kind: 'sound', lengths: [] }))
    expect(await code(voice(sampleVideos.mp4, 'audio/mp4'))).toBe('no-sound')
    expect(await code(voice(empty, 'audio/mp4'))).toBe('no-sound')
  })

  test('keeps the intact part of a damaged voice-over; refuses one that does not decode', async () => {
    const whole = await readFile(await encodeClip('voice.mp4', ...tone(2), '-c:a', 'aac', '-movflags', '+faststart'))
    const holes = newFilePath('holes.mp4')
    const sound = whole.indexOf('mdat') + 8
    await writeFile(holes, whole.fill(0xff, sound + 4000, sound + 6000))
    expect((await heardIn(await voice(holes, 'audio/mp4'))).length / 48_000).toBeGreaterThan(1)
    const unknown = newFilePath('unknown.mp4')
    await writeFile(unknown, withUnknownCodec(whole))
    expect(await code(voice(unknown, 'audio/mp4'))).toBe('codec')
  })

  // An iPhone's video has an undecodable sound track in addition to a decodable one; another camera's video may have no decodable one.
  test('renders a video without sound if the sound cannot be decoded', async () => {
    const file = await encodeClip(
      'film.mp4',
      '-i',
      await ensureTestClip('all-key.mp4'),
      ...tone(2),
      '-map',
      '0:v',
      '-map',
      '1:a',
      '-c:v',
      'copy',
      '-c:a',
      'aac',
    )
    await writeFile(file, withUnknownCodec(await readFile(file)))
    expect(await readBurnedInFrameNumbers(await render(file, await readContainerFile(file, 'video/mp4')))).toHaveLength(60)
  })

  test('refuses a video whose frames cannot be decoded', async () => {
    const facts = await readContainerFile(sampleVideos.mp4, 'video/mp4')
    const [unknown, garbage] = [newFilePath('unknown.mp4'), newFilePath('garbage.mp4')]
    await writeFile(unknown, withUnknownCodec(await readFile(sampleVideos.mp4), ['avc1', 'avcC']))
    await writeFile(garbage, buildMp4({ lengths: Array(60).fill(20) }))
    expect(await code(render(unknown, facts))).toBe('codec')
    const [result] = await Promise.allSettled([render(garbage, await readContainerFile(garbage, 'video/mp4'))])
    expect(result.status === 'rejected' && result.reason.code).toBe('damaged')
    expect(result).toMatchObject({ reason: { cause: 'no frame can be decoded' } })
  })

  test('does not open a file as a container other than the probed one', async () => {
    for (const [file, type, container] of [
      [sampleVideos.mp4, 'video/mp4', 'webm'],
      [sampleVideos.webm, 'video/webm', 'mp4'],
    ] as const) {
      const facts = await readContainerFile(file, type)
      await expect(render(file, { ...facts, media: { ...facts.media, container } })).rejects.toThrow()
    }
  })

  test('refuses a voice-over as soon as it exceeds the maximum duration', async () => {
    const jumping = (from: number, seconds: number) =>
      encodeClip(
        'voice.mka',
        ...tone(1, 'mono', 8000),
        '-af',
        `asetnsamples=480,asetpts=PTS+(${from}+gte(T\\,0.5)*${seconds})/TB`,
        '-c:a',
        'pcm_s16le',
      )
    expect(await code(voice(await jumping(0, 306), 'audio/webm'))).toBe('too-much')
    expect(await code(voice(await jumping(10, 300), 'audio/webm'))).toBe('made')
  })

  // The crack of the bat is at frame 151, at 240 frames per second.
  test.each([
    // 0.252 s is within frame 60, the rest of which is shown.
    ['cut by an edit list', ['-ss', '0.252'], 'mp4'],
    ['that begins late', ['-itsoffset', '0.5'], 'mov'],
  ])('keeps sound and picture in sync: %s', async (_, before, kind) => {
    const file = await encodeClip(`crack.${kind}`, ...before, '-i', await ensureTestClip('crack-240.mp4'), '-c', 'copy')
    const facts = await readContainerFile(file, mediaTypeOf(file))
    const out = await render(file, facts)
    const [numbers, sound] = [await readBurnedInFrameNumbers(out), await heardIn(out)]
    const cut = kind === 'mp4' ? 60 : 0
    expect(numbers).toEqual(Array.from({ length: 300 - cut }, (_, i) => cut + i))
    expect(haveSameFrames(facts.table, (await readContainerFile(out, 'video/mp4')).table)).toBe(true)
    const seen = numbers.indexOf(151) / 240
    const jumps = sound.map((level, i) => Math.abs(level - (sound[i - 1] ?? 0)))
    const crack = jumps.reduce((most, jump, i) => (jump > jumps[most]! ? i : most), 0) / 48_000
    expect(Math.abs(crack - seen)).toBeLessThan(0.006)
  })

  test('starts sound and picture together if their timestamps begin late', async () => {
    const file = await encodeClip('late.webm', '-itsoffset', '0.5', '-i', await ensureTestClip('vp8.webm'), '-c', 'copy')
    const facts = await readContainerFile(file, 'video/webm')
    expect(facts.table.first / facts.table.scale).toBeCloseTo(0.5, 1)
    const sound = await heardIn(await render(file, facts))
    expect(sound.findIndex(level => Math.abs(level) > 1000) / 48_000).toBeLessThan(0.1)
    expect(sound.length / 48_000).toBeLessThan(2.7)
  })

  test('uses the video track and the first audio track, in two channels', async () => {
    const words = newFilePath('words.srt')
    await writeFile(words, '1\n00:00:00,100 --> 00:00:01,500\nStep\n')
    const from = ['-i', await ensureTestClip('all-key.mp4'), '-i', words, ...tone(2, '5.1'), '-f', 'lavfi', '-i', 'anullsrc=d=2:cl=5.1']
    const how = ['-c:v', 'copy', '-c:s', 'mov_text', '-c:a', 'aac']
    const silent = await encodeClip('silent.mp4', ...from, '-map', '0:v', '-map', '1:s', ...how)
    const sounding = await encodeClip('sounding.mp4', ...from, '-map', '1:s', '-map', '2:a', '-map', '3:a', '-map', '0:v', ...how)
    for (const file of [silent, sounding]) {
      const out = await render(file, await readContainerFile(file, 'video/mp4'))
      expect(await readBurnedInFrameNumbers(out)).toEqual(Array.from({ length: 60 }, (_, n) => n))
      const track = await new Input({ source: new FilePathSource(out), formats: ALL_FORMATS }).getPrimaryAudioTrack()
      expect(track?.numberOfChannels).toBe(file === silent ? undefined : 2)
      if (file === silent) continue
      const sound = await heardIn(out)
      const loudest = Array.from({ length: 19 }, (_, n) => Math.max(...sound.slice(n * 4800, n * 4800 + 4800)))
      expect([Math.round(sound.length / 4800), Math.min(...loudest) > Math.max(...loudest) / 2]).toEqual([20, true])
    }
  })

  test.each(['mp4', 'mov', 'mkv'])('uses the default tracks if there are several: %s', async kind => {
    const file = await encodeClip(
      `tracks.${kind}`,
      ...[
        '-f',
        'lavfi',
        '-i',
        'testsrc2=s=160x120:r=30:d=1',
        '-i',
        await ensureTestClip('all-key.mp4'),
        '-f',
        'lavfi',
        '-i',
        'anullsrc=d=2',
      ],
      ...[...tone(2), '-map', '0:v', '-map', '1:v', '-map', '2:a', '-map', '3:a', '-c:v:0', 'libx264', '-c:v:1', 'copy', '-c:a', 'aac'],
      ...['-disposition:v:0', '0', '-disposition:v:1', 'default', '-disposition:a:0', '0', '-disposition:a:1', 'default'],
    )
    const out = await render(file, await readContainerFile(file, kind === 'mkv' ? 'video/webm' : mediaTypeOf(file)))
    expect(await readBurnedInFrameNumbers(out)).toEqual(Array.from({ length: 60 }, (_, n) => n))
    expect(Math.max(...(await heardIn(out)).map(Math.abs))).toBeGreaterThan(1000)
  })

  test('starts a video that was cut between keyframes at the first keyframe', async () => {
    // Frames 0 and 60 are the keyframes.
    const file = await encodeClip('cut.mp4', '-i', await ensureTestClip('60.mp4'), '-c', 'copy', '-bsf:v', 'noise=drop=lt(n\\,20)')
    const facts = await readContainerFile(file, 'video/mp4')
    expect(facts.picture.packets).toBe(100)
    // The first remaining packet shows frame 19. Frames 19 to 59, before the next keyframe, are omitted: 41 frames.
    expect(facts.media.omittedMilliseconds).toBe(Math.round((41 / 60) * 1000))
    const out = await render(file, facts)
    expect(await readBurnedInFrameNumbers(out)).toEqual(Array.from({ length: 60 }, (_, n) => 60 + n))
    expect(haveSameFrames(facts.table, (await readContainerFile(out, 'video/mp4')).table)).toBe(true)
  })

  test('reports its progress from 0 to 1', async () => {
    const parts: number[] = []
    await render(sampleVideos.mp4, await readContainerFile(sampleVideos.mp4, 'video/mp4'), part => parts.push(part))
    expect(parts.length).toBeGreaterThan(0)
    expect(parts).toEqual(parts.toSorted((a, b) => a - b))
    expect([parts.every(part => part >= 0), parts.at(-1)]).toEqual([true, 1])
  })

  test('makes each still from the frame that it represents', async () => {
    const file = await ensureTestClip('120.mp4')
    const facts = await readContainerFile(file, 'video/mp4')
    const rendition = await render(file, facts)
    const out = { poster: newFilePath('poster.jpg'), filmstrip: newFilePath('strip.jpg') }
    const result = await (await loadMediaEngine()).stills(rendition, facts.media, out)
    expect(result).toEqual({ count: 60, columns: 10, width: 160, height: 90 })
    const [poster, strip] = await Promise.all([sharp(out.poster).metadata(), sharp(out.filmstrip).metadata()])
    expect([poster.format, poster.width, poster.height]).toEqual(['jpeg', 384, 216])
    expect([strip.format, strip.width, strip.height]).toEqual(['jpeg', 1600, 540])
    const sizes = await Promise.all([out.poster, out.filmstrip].map(async file => (await readFile(file)).length))
    expect(sizes.map((size, i) => size > [7000, 130_000][i]! && size < [11_000, 175_000][i]!)).toEqual([true, true])
    expect(await numberOn(out.poster, 0, 0, 384, 216)).toBe(posterFrame(180))
    const tiles = []
    for (let i = 0; i < 60; i++) tiles.push(await numberOn(out.filmstrip, (i % 10) * 160, Math.floor(i / 10) * 90, 160, 90))
    expect(tiles).toEqual(filmstripFrames(180, 60))
  })

  test('puts the stills of a video with few frames into one row', async () => {
    const few = await encodeClip('few.mp4', '-i', await ensureTestClip('all-key.mp4'), '-c', 'copy', '-an', '-frames:v', '7')
    const facts = await readContainerFile(few, 'video/mp4')
    const out = { poster: newFilePath('poster.jpg'), filmstrip: newFilePath('strip.jpg') }
    expect(await (await loadMediaEngine()).stills(few, facts.media, out)).toMatchObject({ count: 7, columns: 7 })
    const { width, height } = await sharp(out.filmstrip).metadata()
    expect([width, height]).toEqual([7 * 160, 90])
    expect(await numberOn(out.filmstrip, 6 * 160, 0, 160, 90)).toBe(6)
  })
})
