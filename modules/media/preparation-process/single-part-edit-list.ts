import { type FileHandle, open } from 'node:fs/promises'
import { MediaRefusal } from './media-refusal.ts'

/** The maximum number of boxes that are read on one level. No recorder or editor writes more. */
const MAX_BOXES = 2000
/** The maximum number of entries of an edit list that are read. */
const MAX_EDITS = 1000

interface Box {
  type: string
  /** The offsets in the file at which its content begins and ends. */
  start: number
  end: number
}

/**
 * An edit list (`elst`, ISO/IEC 14496-12) tells players which parts of a track to show. mediabunny and FFmpeg (with our options) support
 * only one part; in a video with several parts or a changed speed, they would show what its author cut out.
 * @param track the track's id in the container
 * @returns the movie time, in seconds, at which the part ends; null if the file does not say
 * @throws MediaRefusal if the edit list is not supported
 */
export async function validateEditListAndReadEndSeconds(path: string, track: number): Promise<number | null> {
  await using file = await open(path)
  const { size } = await file.stat()
  const movie = (await boxes(file, 0, size)).find(box => box.type === 'moov')
  if (!movie) return null
  const parts = await boxes(file, movie.start, movie.end)
  const header = parts.find(box => box.type === 'mvhd')
  const movieScale = header && (await fieldAfterTimes(file, header))
  for (const trak of parts.filter(box => box.type === 'trak')) {
    const inside = await boxes(file, trak.start, trak.end)
    const find = async (outer: string, inner: string) => {
      const box = inside.find(candidate => candidate.type === outer)
      return box && (await boxes(file, box.start, box.end)).find(candidate => candidate.type === inner)
    }
    const head = inside.find(box => box.type === 'tkhd')
    if (!head || (await fieldAfterTimes(file, head)) !== track) continue
    const [list, mediaHeader] = [await find('edts', 'elst'), await find('mdia', 'mdhd')]
    if (!list || !mediaHeader || !movieScale) return null
    const edits = await editsOf(file, list)
    if (!isOnePart(edits, (await fieldAfterTimes(file, mediaHeader)) / movieScale))
      throw new MediaRefusal('edited', `${edits.length} edits`)
    // A part without a duration continues to the end, as in a fragmented file.
    return edits.at(-1)?.duration ? edits.reduce((sum, edit) => sum + edit.duration, 0) / movieScale : null
  }
  return null
}

interface Edit {
  /** In movie ticks. */
  duration: number
  /** Tick of the track at which the part begins; -1 for a pause. */
  mediaTime: number
  rate: number
}

/** Whether the edits show one continuous part of the track at normal speed, perhaps after a pause. */
function isOnePart(edits: Edit[], trackTicksPerMovieTick: number): boolean {
  const shown = edits.slice(edits.findIndex(edit => edit.mediaTime !== -1))
  return shown.every(({ mediaTime, rate }, i) => {
    const before = shown[i - 1]
    // Some recorders write one part as several adjacent edits, whose ends are rounded to movie ticks.
    const gap = before ? mediaTime - before.mediaTime - before.duration * trackTicksPerMovieTick : 0
    return rate === 1 && mediaTime !== -1 && Math.abs(gap) <= trackTicksPerMovieTick + 1
  })
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

async function boxes(file: FileHandle, start: number, end: number): Promise<Box[]> {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end && boxes.length < MAX_BOXES; ) {
    const head = await read(file, at, 16)
    if (head.length < 8) break
    const declared = head.readUInt32BE(0)
    const wide = declared === 1 && head.length === 16
    const size = wide ? Number(head.readBigUInt64BE(8)) : declared || end - at
    if (size < 8) break
    boxes.push({ type: head.toString('latin1', 4, 8), start: at + (wide ? 16 : 8), end: Math.min(end, at + size) })
    at += size
  }
  return boxes
}

/**
 * Reads the field after the two timestamps (32 or 64 bits each): the ticks per second in `mvhd` and `mdhd`, the track id in `tkhd`.
 * Returns 0 if the file ends too early.
 */
async function fieldAfterTimes(file: FileHandle, { start }: Box): Promise<number> {
  const head = await read(file, start, 24)
  return head.length < 24 ? 0 : head.readUInt32BE(head[0] === 1 ? 20 : 12)
}

async function editsOf(file: FileHandle, { start, end }: Box): Promise<Edit[]> {
  const bytes = await read(file, start, Math.min(end - start, 8 + MAX_EDITS * 20))
  if (bytes.length < 8) return []
  const wide = bytes[0] === 1
  const length = wide ? 20 : 12
  const count = Math.min(bytes.readUInt32BE(4), Math.floor((bytes.length - 8) / length))
  return Array.from({ length: count }, (_, i) => {
    const at = 8 + i * length
    const [duration, mediaTime] = wide
      ? [Number(bytes.readBigUInt64BE(at)), Number(bytes.readBigInt64BE(at + 8))]
      : [bytes.readUInt32BE(at), bytes.readInt32BE(at + 4)]
    return { duration, mediaTime, rate: bytes.readInt32BE(at + length - 4) / 0x10000 }
  })
}
