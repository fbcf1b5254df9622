import { readFile } from 'node:fs/promises'
import { sampleVideos } from '../../support/sample-media.ts'
import { ebmlHeader, joinBytes, mp4Box, WEBM_SEGMENT_ID, webmElement } from './container-builders.ts'

/**
 * Builds small files that look harmless to code that reads only the declared properties of the video track, but decode to far more than
 * they declare. Those with a sound bomb are based on the two-second samples.
 */

const u16 = (n: number) => [(n >>> 8) & 255, n & 255]
const u32 = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
const ascii = (s: string) => [...s].map(c => c.charCodeAt(0))
const repeat = (count: number, bytes: number[]) => Array.from({ length: count }, () => bytes).flat()

/** A one-byte Opus packet, its TOC byte alone, that decodes to 60 ms of silence, the longest Opus frame (RFC 6716, section 3.1). */
const OPUS_60_MS = 0x18
/** The same for 2.5 ms, the shortest Opus frame. */
export const OPUS_TOC_OF_2_5_MS = 0x80
const OPUS_TICKS = 2880
const PACKETS_PER_CHUNK = 100

/** A sound track of `packets` one-byte packets. Each chunk of 100 packets refers to the same 100 bytes at `offset`. */
function soundTrack(packets: number, offset: number, ticks: number) {
  const chunks = packets / PACKETS_PER_CHUNK
  const dOps = mp4Box('dOps', [0, 1], u16(0), u32(48_000), u16(0), [0])
  const entry = mp4Box('Opus', new Uint8Array(6), u16(1), new Uint8Array(8), u16(1), u16(16), u32(0), u32(48_000 * 65_536), dOps)
  const table = mp4Box(
    'stbl',
    mp4Box('stsd', u32(0), u32(1), entry),
    mp4Box('stts', u32(0), u32(1), u32(packets), u32(ticks)),
    mp4Box('stsc', u32(0), u32(1), u32(1), u32(PACKETS_PER_CHUNK), u32(1)),
    mp4Box('stsz', u32(0), u32(1), u32(packets)),
    mp4Box('stco', u32(0), u32(chunks), repeat(chunks, u32(offset))),
  )
  const handler = mp4Box('hdlr', u32(0), u32(0), ascii('soun'), new Uint8Array(13))
  const head = mp4Box('mdhd', u32(0), u32(0), u32(0), u32(48_000), u32((packets * ticks) >>> 0), u32(0))
  const reference = mp4Box('dinf', mp4Box('dref', u32(0), u32(1), mp4Box('url ', u32(1))))
  const ids = mp4Box('tkhd', u32(7), u32(0), u32(0), u32(2), u32(0), u32(0), new Uint8Array(60))
  return mp4Box('trak', ids, mp4Box('mdia', head, handler, mp4Box('minf', mp4Box('smhd', new Uint8Array(8)), reference, table)))
}

/**
 * Builds an MP4 of 60 frames with a sound track whose chunks all refer to the same bytes.
 * @param ticks the duration of each packet, in ticks of 1/48,000 s. If it is 0, all packets play at the time of the first frame
 */
export async function soundBombMp4({ packets = 1_000_000, ticks = OPUS_TICKS, packet = OPUS_60_MS } = {}) {
  // The index is at the end of this file, so the index can grow without moving anything.
  const file = new Uint8Array(await readFile(sampleVideos.mov))
  const at = Buffer.from(file.buffer).lastIndexOf('moov') - 4
  const moov = file.slice(at + 8)
  file.set(ascii('isom'), 8)
  const bytes = mp4Box('mdat', repeat(PACKETS_PER_CHUNK, [packet]))
  return joinBytes(file.slice(0, at), bytes, mp4Box('moov', moov, soundTrack(packets, at + 8, ticks)))
}

/** Builds a WEBM with many sound packets, all with timestamp 0. They cannot share bytes, but each block laces 255 one-byte packets. */
export async function soundBombWebm(packets = 100_000) {
  const LACED = 255
  const file = new Uint8Array(await readFile(sampleVideos.webm))
  const [opusHead, codec] = [[...ascii('OpusHead'), 1, 1, 0, 0, 0x80, 0xbb, 0, 0, 0, 0, 0], ascii('A_OPUS')]
  const audio = webmElement([0xe1], webmElement([0xb5], [0x47, 0x3b, 0x80, 0]), webmElement([0x9f], [1]))
  const entry = [
    webmElement([0xd7], [2]),
    webmElement([0x73, 0xc5], [2]),
    webmElement([0x83], [2]),
    webmElement([0x86], codec),
    webmElement([0x63, 0xa2], opusHead),
  ]
  const track = webmElement([0xae], ...entry, audio)
  // A block of track 2, at the time of its cluster, with fixed-size lacing.
  const block = webmElement([0xa3], [0x82, 0, 0, 0x04, LACED - 1], repeat(LACED, [OPUS_60_MS]))
  const cluster = webmElement(
    [0x1f, 0x43, 0xb6, 0x75],
    webmElement([0xe7], [0]),
    ...Array.from({ length: Math.ceil(packets / LACED) }, () => block),
  )
  const kept = [...children(file)].flatMap(({ id, body }) => {
    if (id === 0x1549a966) return [webmElement([0x15, 0x49, 0xa9, 0x66], body)]
    if (id === 0x1654ae6b) return [webmElement([0x16, 0x54, 0xae, 0x6b], body, track), cluster]
    return id === 0x1f43b675 ? [webmElement([0x1f, 0x43, 0xb6, 0x75], body)] : []
  })
  return joinBytes(ebmlHeader, webmElement(WEBM_SEGMENT_ID, ...kept))
}

/** Reads an EBML variable-size integer and its length in bytes. An id includes its length marker, a size does not. */
function vint(file: Uint8Array, at: number, isId: boolean) {
  const length = Math.clz32(file[at]!) - 23
  let value = isId ? file[at]! : file[at]! & (0xff >> length)
  for (let i = 1; i < length; i++) value = value * 256 + file[at + i]!
  return { value, length }
}

/** The elements of a WEBM file's segment. */
function* children(file: Uint8Array) {
  let at = Buffer.from(file.buffer).indexOf(Buffer.from(WEBM_SEGMENT_ID))
  at += WEBM_SEGMENT_ID.length + vint(file, at + WEBM_SEGMENT_ID.length, false).length
  while (at < file.length) {
    const id = vint(file, at, true)
    const size = vint(file, at + id.length, false)
    const from = at + id.length + size.length
    yield { id: id.value, body: file.slice(from, from + size.value) }
    at = from + size.value
  }
}

/** Makes an MP4's container declare frames of 320 × 240 pixels. Changes the file in place. */
export function mp4DeclaringSmallerPicture(file: Uint8Array<ArrayBuffer>) {
  const at = (type: string) => Buffer.from(file.buffer).lastIndexOf(type)
  file.set([...u16(320), ...u16(240)], at('avc1') + 28)
  file.set([...u32(320 << 16), ...u32(240 << 16)], at('tkhd') + 80)
  return file
}

/** Returns an MP4 that shows its first frame `count` times: all samples refer to the same bytes. */
export function mp4RepeatingFirstPicture(file: Uint8Array<ArrayBuffer>, count: number) {
  const whole = Buffer.from(file.buffer)
  const number = (type: string, at: number) => whole.readUInt32BE(whole.lastIndexOf(type) + at)
  const [size, offset] = [number('stsz', 8) || number('stsz', 16), number('stco', 12)]
  const table = mp4Box(
    'stbl',
    whole.subarray(whole.lastIndexOf('stsd') - 4, whole.lastIndexOf('stsd') - 4 + number('stsd', -4)),
    mp4Box('stts', u32(0), u32(1), u32(count), u32(200)),
    mp4Box('stsc', u32(0), u32(1), u32(1), u32(1), u32(1)),
    mp4Box('stsz', u32(0), u32(size), u32(count)),
    mp4Box('stco', u32(0), u32(count), repeat(count, u32(offset))),
  )
  // Every box around the table stores its own length.
  const start = whole.lastIndexOf('stbl') - 4
  const grown = table.length - number('stbl', -4)
  for (const around of ['moov', 'trak', 'mdia', 'minf']) whole.writeUInt32BE(number(around, -4) + grown, whole.lastIndexOf(around) - 4)
  return joinBytes(file.slice(0, start), table, file.slice(start + number('stbl', -4)))
}

/** Makes a WEBM's container declare frames of 320 × 240 pixels. Changes the file in place. */
export function webmDeclaringSmallerPicture(file: Uint8Array<ArrayBuffer>) {
  const whole = Buffer.from(file.buffer)
  for (const [id, side] of [
    [0xb0, 320],
    [0xba, 240],
  ] as const) {
    const at = whole.indexOf(Buffer.from([id, 0x82]), whole.indexOf(Buffer.from([0x16, 0x54, 0xae, 0x6b])))
    file.set(u16(side), at + 2)
  }
  return file
}
