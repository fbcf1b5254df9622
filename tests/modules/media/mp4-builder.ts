import { ftypBox, joinBytes, mp4Box } from './container-builders.ts'

const u16 = (n: number) => [(n >>> 8) & 255, n & 255]
const u32 = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]
const ascii = (s: string) => [...s].map(c => c.charCodeAt(0))
const ONE = 0x10000
/** The matrix for each orientation in which the picture is shown: rotated clockwise by these degrees, or mirrored. */
const ORIENTATION_MATRICES = { upright: [ONE, 0, 0, ONE], 90: [0, ONE, -ONE, 0], 270: [0, -ONE, ONE, 0], mirrored: [-ONE, 0, 0, ONE] }
const matrix = ([a, b, c, d]: number[]) => [a, b, 0, c, d, 0, 0, 0, 0x40000000].flatMap(n => u32(n! >>> 0))

export interface Mp4Track {
  /** Ticks per second. */
  scale?: number
  /** The duration of each frame in ticks, in decoding order. */
  lengths: number[]
  /** Ticks by which each frame is shown after it is decoded. */
  offsets?: number[]
  /** How many ticks at the beginning of the track an edit list hides. */
  hidden?: number
  /** The edit list itself: the length of each part in 1/600 s, the tick of the track at which it begins (-1: a pause), and its speed. */
  edits?: [duration: number, mediaTime: number, rate?: number][]
  width?: number
  height?: number
  orientation?: keyof typeof ORIENTATION_MATRICES
  /** The type of the sample entry, which names the codec. */
  codec?: string
  /** The transfer function of its colors as a code point of ITU-T H.273: 16 is PQ, 18 is HLG. */
  transfer?: number
  kind?: 'video' | 'sound'
}

const picture = ({ codec = 'avc1', width = 320, height = 240, transfer }: Mp4Track) =>
  mp4Box(
    codec,
    ...[new Uint8Array(6), u16(1), new Uint8Array(16), u16(width), u16(height)],
    ...[u32(0x480000), u32(0x480000), u32(0), u16(1), new Uint8Array(32), u16(24), u16(0xffff)],
    ...(codec === 'avc1' ? [mp4Box('avcC', [1, 66, 0, 30, 0xff, 0xe0, 0])] : []),
    ...(transfer ? [mp4Box('colr', ascii('nclx'), u16(transfer === 1 ? 1 : 9), u16(transfer), u16(transfer === 1 ? 1 : 9), [0])] : []),
  )
const tone = ({ scale = 600 }: Mp4Track) =>
  mp4Box('twos', new Uint8Array(6), u16(1), new Uint8Array(8), u16(1), u16(16), u32(0), u16(scale), u16(0))

function trackBox(track: Mp4Track, id: number) {
  const { scale = 600, lengths, offsets, hidden, edits: parts, width = 320, height = 240, orientation = 'upright', kind = 'video' } = track
  const total = lengths.reduce((sum, n) => sum + n, 0)
  const head = mp4Box(
    'tkhd',
    u32(3),
    u32(0),
    u32(0),
    u32(id),
    u32(0),
    u32(total),
    new Uint8Array(16),
    matrix(ORIENTATION_MATRICES[orientation]),
    u32(width << 16),
    u32(height << 16),
  )
  const list = parts ?? (hidden === undefined ? [] : [[total - hidden, hidden]])
  const entries = list.flatMap(([duration, at, rate = 1]) => [...u32(duration!), ...u32(at!), ...u32(rate * ONE)])
  const edits = list.length ? [mp4Box('edts', mp4Box('elst', u32(0), u32(list.length), entries))] : []
  const samples = [
    mp4Box('stsd', u32(0), u32(1), kind === 'video' ? picture(track) : tone(track)),
    mp4Box(
      'stts',
      u32(0),
      u32(lengths.length),
      lengths.flatMap(n => [...u32(1), ...u32(n)]),
    ),
    ...(offsets
      ? [
          mp4Box(
            'ctts',
            u32(0),
            u32(offsets.length),
            offsets.flatMap(n => [...u32(1), ...u32(n)]),
          ),
        ]
      : []),
    mp4Box('stsc', u32(0), u32(1), u32(1), u32(Math.max(1, lengths.length)), u32(1)),
    mp4Box('stsz', u32(0), u32(2), u32(lengths.length)),
    mp4Box('stco', u32(0), u32(1), u32(40)),
  ]
  const handler = mp4Box('hdlr', u32(0), u32(0), ascii(kind === 'video' ? 'vide' : 'soun'), new Uint8Array(13))
  const mediaHeader = mp4Box('mdhd', u32(0), u32(0), u32(0), u32(scale), u32(total), u32(0))
  return mp4Box('trak', head, ...edits, mp4Box('mdia', mediaHeader, handler, mp4Box('minf', mp4Box('stbl', ...samples))))
}

/** Builds a movie whose tracks have two-byte samples without visible content: only its container's metadata is valid. */
export const buildMp4 = (...tracks: Mp4Track[]) => {
  const head = mp4Box(
    'mvhd',
    u32(0),
    u32(0),
    u32(0),
    u32(600),
    u32(0),
    new Uint8Array(16),
    matrix(ORIENTATION_MATRICES.upright),
    new Uint8Array(28),
  )
  return joinBytes(
    ftypBox('isom'),
    mp4Box('mdat', new Uint8Array(200)),
    mp4Box('moov', head, ...tracks.map((track, i) => trackBox(track, i + 1))),
  )
}
