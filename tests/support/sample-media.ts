import { randomUUID } from 'node:crypto'
import { appendFile, copyFile, mkdir, readFile, rename, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

const here = (name: string) => join(import.meta.dirname, '../fixtures/media', name)
const made = join(import.meta.dirname, '../.media')

/**
 * Two seconds of a moving test picture, 320 × 240 at 30 frames/s: H.264 baseline (MP4 with the index first, MOV with it last), VP9 (WEBM),
 * and H.264 as a phone in portrait records it, 216 × 384. Stored in tests/fixtures/media, so that tests need no ffmpeg to use them:
 * `ffmpeg -f lavfi -i testsrc2=size=320x240:rate=30:duration=2 -c:v libx264 -profile:v baseline -pix_fmt yuv420p -crf 38 -movflags
 * +faststart sample.mp4`
 */
export const sampleVideos = { mp4: here('sample.mp4'), mov: here('sample.mov'), webm: here('sample.webm'), upright: here('upright.mp4') }

/** Chromium's MediaRecorder output for 3.3 seconds of its fake microphone: WEBM with Opus, without a duration. */
export const sampleVoice = here('voice.webm')

/**
 * One second of the same picture in HEVC, as iPhones record it. Debian's Chromium cannot decode HEVC: it cannot play the silent file, and
 * plays only the AAC sound of the other.
 * `ffmpeg -f lavfi -i testsrc2=size=320x240:rate=30:duration=1 -c:v libx265 -tag:v hvc1 -pix_fmt yuv420p -crf 45 -movflags +faststart
 * hevc.mp4`
 */
export const hevcClips = { silent: here('hevc.mp4'), sounding: here('hevc-sound.mov') }

/** Pads a copy of a video to exactly `bytes` with a `free` box at the end, which players skip. MP4 and MOV only. @throws RangeError */
export async function writePaddedVideo(file: string, bytes: number): Promise<string> {
  const { size } = await stat(file)
  const box = bytes - size
  if (box < 8 || box > 0xffffffff) throw new RangeError(`${basename(file)} has ${size} bytes and cannot be grown to ${bytes}.`)
  const name = basename(file).replace('.', `-${bytes}.`)
  return making(name, async path => {
    await copyFile(file, path)
    const head = Buffer.alloc(8)
    head.writeUInt32BE(box)
    head.write('free', 4)
    await appendFile(path, head)
    await truncate(path, bytes)
  })
}

/** Writes a text file with a video's extension. */
export const writeTextAsVideo = () =>
  making('lying.mp4', path => writeFile(path, 'This is a shopping list: sunflower seeds, chalk, a new glove.\n'.repeat(200)))

/** Writes the beginning of a video, as an interrupted copy would leave it. */
export const writeTruncatedVideo = (file: string, bytes: number) =>
  making(basename(file).replace('.', `-first-${bytes}.`), async path => writeFile(path, (await readFile(file)).subarray(0, bytes)))

async function making(name: string, make: (path: string) => Promise<unknown>) {
  const path = join(made, name)
  if (await stat(path).catch(() => null)) return path
  await mkdir(made, { recursive: true })
  // Rename the file into place when it is complete, because another test that needs it must not read an incomplete file.
  const draft = join(made, `${randomUUID()}-${name}`)
  await make(draft)
  await rename(draft, path)
  return path
}

/** The strings that `addPhoneMetadata` writes into a file, to search for. */
export const phoneMetadataStrings = ['+29.7604-095.3698', 'iPhone 17 Pro', 'com.apple.quicktime.location']

/** Adds the metadata that phones write, the place and the device of the recording, to a QuickTime movie whose index comes last. */
export function addPhoneMetadata(mov: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = Buffer.from(mov)
  const index = file.indexOf('moov') - 4
  if (index + file.readUInt32BE(index) !== file.length) throw new Error('The index is not the last box of this file.')
  const u32 = (value: number) => Buffer.from([value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255])
  const box = (type: string | Buffer, ...body: (Buffer | string)[]) => {
    const bytes = Buffer.concat(body.map(part => Buffer.from(part)))
    return Buffer.concat([u32(bytes.length + 8), typeof type === 'string' ? Buffer.from(type, 'latin1') : type, bytes])
  }
  const [place, device] = [`${phoneMetadataStrings[0]}+014.000/`, phoneMetadataStrings[1]!]
  const international = (text: string) => Buffer.concat([Buffer.from([0, text.length, 0x15, 0xc7]), Buffer.from(text)])
  const values = { 'com.apple.quicktime.location.ISO6709': place, 'com.apple.quicktime.model': device }
  const userData = box('udta', box('\xa9xyz', international(place)), box('\xa9mod', international(device)))
  const metadata = box(
    'meta',
    box('hdlr', Buffer.alloc(8), 'mdta', Buffer.alloc(13)),
    box('keys', Buffer.alloc(4), u32(2), ...Object.keys(values).map(key => box('mdta', key))),
    box('ilst', ...Object.values(values).map((value, i) => box(u32(i + 1), box('data', u32(1), u32(0), value)))),
  )
  const grown = Buffer.concat([file, userData, metadata])
  grown.writeUInt32BE(file.length - index + userData.length + metadata.length, index)
  return new Uint8Array(grown)
}
