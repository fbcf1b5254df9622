import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { ftypBox, joinBytes, minimalMp4File, mp4Box } from './container-builders.ts'

/** Creates a deterministic random number generator (xorshift), which returns integers from 0 up to but not including `below`. */
export function seededRandom(seed: number) {
  let state = seed >>> 0 || 1
  return (below: number) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

type Bytes = Uint8Array<ArrayBuffer>
const text = (words: string) => new TextEncoder().encode(words) as Bytes
const put32 = (bytes: Bytes, at: number, value: number) => new DataView(bytes.buffer, bytes.byteOffset).setUint32(at, value)
const find = (bytes: Bytes, type: string) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(type)

/** Builders of files that are damaged, misleading or malicious, by name. Most change a valid file. */
export const hostileFileBuilders: Record<string, (validFile: Bytes, random: (below: number) => number) => Bytes> = {
  'flipped bits': (validFile, random) => {
    for (let i = 0; i < 1 + random(40); i++) validFile[random(validFile.length)]! ^= 1 << random(8)
    return validFile
  },
  'flipped bits in the header': (validFile, random) => {
    const moov = Math.max(0, find(validFile, 'moov'))
    for (let i = 0; i < 1 + random(8); i++) validFile[Math.min(validFile.length - 1, moov + random(900))]! ^= 1 << random(8)
    return validFile
  },
  'cut off': (validFile, random) => validFile.slice(0, 1 + random(validFile.length - 1)),
  'a hole in the middle': (validFile, random) => {
    const at = random(validFile.length)
    return validFile.fill(0, at, at + random(4000))
  },
  'billions of samples': (validFile, random) => {
    for (const table of ['stsz', 'stts', 'stsc', 'stco', 'ctts']) {
      const at = find(validFile, table)
      if (at > 0 && (random(2) || table === 'stsz')) put32(validFile, at + (table === 'stsz' ? 12 : 8), 0xffffffff - random(1000))
    }
    return validFile
  },
  'one frame for billions': validFile => {
    const at = find(validFile, 'stts')
    if (at > 0) put32(validFile, at + 12, 0xfffffff0)
    return validFile
  },
  'a bomb of frames': validFile => {
    // Both the sample-size table and the time-to-sample table claim eight million frames.
    const [sizes, times] = [find(validFile, 'stsz'), find(validFile, 'stts')]
    if (sizes > 0) put32(validFile, sizes + 12, 8_000_000)
    if (times > 0) put32(validFile, times + 12, 8_000_000)
    return validFile
  },
  'a picture as large as a field': (validFile, random) => {
    for (const entry of ['avc1', 'tkhd']) {
      const at = find(validFile, entry)
      if (at > 0) put32(validFile, at + (entry === 'avc1' ? 28 : 80), random(2) ? 0xffffffff : 0x7fff7fff)
    }
    return validFile
  },
  'boxes in boxes': () => {
    let inner: Bytes = mp4Box('free', new Uint8Array(8))
    for (let i = 0; i < 3000; i++) inner = mp4Box(i % 2 ? 'trak' : 'moov', inner)
    return joinBytes(ftypBox('isom'), mp4Box('moov', inner), mp4Box('mdat', new Uint8Array(64)))
  },
  'a reference to elsewhere': (validFile, random) => {
    const at = find(validFile, 'url ')
    // The flag says that the bytes are in this file; without it, they are at the URL.
    if (at > 0) validFile[at + 7] = random(2)
    return validFile
  },
  'a playlist': () =>
    text('#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n#EXTINF:10,\nhttp://127.0.0.1:1/\n#EXT-X-ENDLIST\n'),
  'a playlist in a box': () =>
    joinBytes(
      ftypBox('isom'),
      mp4Box('moov', text('#EXTM3U\nfile:///etc/passwd\n')),
      mp4Box('mdat', text('concat:/etc/passwd|/etc/hosts')),
    ),
  'nothing to be seen': () => minimalMp4File() as Bytes,
  'only sound': validFile => {
    const at = find(validFile, 'vide')
    if (at > 0) validFile.set(text('soun'), at)
    return validFile
  },
  'a still': () =>
    joinBytes(
      ftypBox('isom'),
      mp4Box('meta', new Uint8Array(40)),
      mp4Box('moov', new Uint8Array(16)),
      mp4Box('mdat', randomBytes(500) as Bytes),
    ),
  noise: (_, random) => randomBytes(1 + random(20_000)) as Bytes,
  empty: () => new Uint8Array(1),
}

/** Yields `count` hostile files, cycling through the kinds. After each cycle, the next of `validFiles` is damaged. */
export function* hostileUploads(count: number, validFiles: { file: string; type: string }[], seed = 1) {
  const random = seededRandom(seed)
  const kinds = Object.entries(hostileFileBuilders)
  for (let i = 0; i < count; i++) {
    const [name, make] = kinds[i % kinds.length]!
    const { file, type } = validFiles[Math.floor(i / kinds.length) % validFiles.length]!
    yield { name, type, bytes: make(new Uint8Array(readFileSync(file)), random) }
  }
}
