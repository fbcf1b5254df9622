/** The encoded frames of a rendition, in order. Packet i is frame i, because renditions have no B-frames. */
export interface VideoPackets {
  config: { codec: string; description: Uint8Array<ArrayBuffer>; codedWidth: number; codedHeight: number }
  count: number
  /** The keyframe at which decoding of a frame has to start: the frame itself, or the last keyframe before it. */
  keyframeOf: (frame: number) => number
  bytes: (frame: number) => Uint8Array<ArrayBuffer>
}

interface Box {
  type: string
  from: number
  to: number
}

/**
 * Reads the sample tables of an MP4 with one H.264 track (ISO/IEC 14496-12), the format of renditions.
 * @throws RangeError or Error if the file is not such an MP4, or is incomplete
 */
export function readVideoPackets(file: ArrayBuffer): VideoPackets {
  const view = new DataView(file)
  const u32 = (at: number) => view.getUint32(at)
  const name = (at: number) => String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

  function boxes(from: number, to: number): Box[] {
    const boxes: Box[] = []
    for (let at = from; at + 8 <= to; ) {
      const short = u32(at)
      const head = short === 1 ? 16 : 8
      const size = short === 1 ? Number(view.getBigUint64(at + 8)) : short || to - at
      if (size < head || at + size > to) throw new Error('A box has an invalid size.')
      boxes.push({ type: name(at + 4), from: at + head, to: at + size })
      at += size
    }
    return boxes
  }
  const inside = (box: Box, ...path: string[]): Box => {
    const [type, ...rest] = path
    if (type === undefined) return box
    const next = boxes(box.from, box.to).find(b => b.type === type)
    if (!next) throw new Error(`There is no ${type}.`)
    return inside(next, ...rest)
  }
  /** Returns the first field of each entry in a table of `width`-byte entries. The entry count is `skip` bytes into the box. */
  const table = (box: Box, width: number, skip = 4): number[] => {
    const count = u32(box.from + skip)
    return Array.from({ length: count }, (_, i) => u32(box.from + skip + 4 + i * width))
  }

  const whole = { type: '', from: 0, to: file.byteLength }
  const moov = inside(whole, 'moov')
  const track = boxes(moov.from, moov.to)
    .filter(b => b.type === 'trak')
    .find(b => name(inside(b, 'mdia', 'hdlr').from + 8) === 'vide')
  if (!track) throw new Error('There is no video track.')
  const index = inside(track, 'mdia', 'minf', 'stbl')
  const parts = boxes(index.from, index.to)
  const part = (type: string) => parts.find(b => b.type === type)
  const needed = (type: string) => part(type) ?? inside(index, type)

  const entry = boxes(needed('stsd').from + 8, needed('stsd').to)[0]!
  if (entry.type !== 'avc1' && entry.type !== 'avc3') throw new Error(`The picture is ${entry.type}.`)
  const avc = inside({ ...entry, from: entry.from + 78 }, 'avcC')
  const description = new Uint8Array(file.slice(avc.from, avc.to))
  const codec = `avc1.${[...description.subarray(1, 4)].map(b => b.toString(16).padStart(2, '0')).join('')}`

  const stsz = needed('stsz')
  const same = u32(stsz.from + 4)
  const count = u32(stsz.from + 8)
  const sizes = same ? new Array<number>(count).fill(same) : table(stsz, 4, 8)
  const wide = part('co64')
  const chunks = wide
    ? Array.from({ length: u32(wide.from + 4) }, (_, i) => Number(view.getBigUint64(wide.from + 8 + i * 8)))
    : table(needed('stco'), 4)
  const stsc = needed('stsc')
  const firsts = table(stsc, 12)
  const perChunk = firsts.map((_, i) => u32(stsc.from + 8 + i * 12 + 4))

  const at: number[] = []
  for (let chunk = 0, run = 0; chunk < chunks.length && at.length < count; chunk++) {
    while (run + 1 < firsts.length && firsts[run + 1]! <= chunk + 1) run++
    let offset = chunks[chunk]!
    for (let i = 0; i < perChunk[run]! && at.length < count; i++) {
      at.push(offset)
      offset += sizes[at.length - 1]!
    }
  }
  if (at.length !== count || at.some((offset, i) => offset + sizes[i]! > file.byteLength))
    throw new Error('The sample table is incomplete or points past the end of the file.')

  const keys = part('stss') ? table(needed('stss'), 4).map(n => n - 1) : at.map((_, i) => i)
  const keyOf = keyframesBefore(keys, count)
  return {
    config: { codec, description, codedWidth: view.getUint16(entry.from + 24), codedHeight: view.getUint16(entry.from + 26) },
    count,
    keyframeOf: frame => keyOf[frame]!,
    bytes: frame => new Uint8Array(file, at[frame]!, sizes[frame]!),
  }
}

function keyframesBefore(keys: number[], count: number): number[] {
  const those = new Set(keys)
  if (!those.has(0)) throw new Error('The first frame is not a keyframe.')
  let last = 0
  return Array.from({ length: count }, (_, i) => {
    if (those.has(i)) last = i
    return last
  })
}
