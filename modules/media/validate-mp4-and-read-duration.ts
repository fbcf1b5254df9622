import { type ByteSource, createReadAheadReader } from './read-ahead-reader.ts'
import { damagedFileError, truncatedFileError } from './unplayable-file-error.ts'

/** The maximum number of boxes that are read. A fragmented file has a pair of boxes every few seconds, so the first ones are enough. */
const MAX_BOXES = 1000

/**
 * Reads the top-level boxes of an MP4 or MOV. Their sizes must add up to exactly the file's size, and they must include a movie header and
 * media.
 * @returns the duration in milliseconds; null if the header does not declare one (a fragmented file)
 * @throws UnplayableFileError
 */
export async function validateMp4AndReadDuration(source: ByteSource): Promise<number | null> {
  const read = createReadAheadReader(source)
  const visitedBoxes = new Set<string>()
  let milliseconds: number | null = null
  let at = 0
  for (let boxes = 0; at < source.bytes && boxes < MAX_BOXES; boxes++) {
    const box = await header(read, at, source.bytes)
    // A movie has one header; a file with a thousand is meant to keep the server busy.
    if (box.type === 'moov' && !visitedBoxes.has('moov')) milliseconds = await duration(read, at + box.header, at + box.size)
    visitedBoxes.add(box.type)
    at += box.size
  }
  if (at > source.bytes || !visitedBoxes.has('mdat')) throw truncatedFileError()
  if (!visitedBoxes.has('moov')) throw truncatedFileError()
  return milliseconds
}

type Read = ReturnType<typeof createReadAheadReader>

const typeOf = (view: DataView, at: number) => String.fromCharCode(...[0, 1, 2, 3].map(i => view.getUint8(at + i)))

async function header(read: Read, at: number, end: number): Promise<{ type: string; size: number; header: number }> {
  const view = await read(at, Math.min(16, end - at))
  if (view.byteLength < 8) throw truncatedFileError()
  const type = typeOf(view, 4)
  const size = view.getUint32(0)
  // 0: to the end of the file. 1: a 64-bit size follows.
  if (size === 0) return { type, size: end - at, header: 8 }
  if (size === 1) {
    if (view.byteLength < 16) throw damagedFileError()
    const large = Number(view.getBigUint64(8))
    if (large < 16) throw damagedFileError()
    return { type, size: large, header: 16 }
  }
  if (size < 8) throw damagedFileError()
  return { type, size, header: 8 }
}

/** The duration (ms) in the movie header (`mvhd`), which is among the first boxes of `moov`; null if either is missing. */
async function duration(read: Read, start: number, end: number): Promise<number | null> {
  for (let at = start, boxes = 0; at < end && boxes < 10; boxes++) {
    const box = await header(read, at, end)
    if (box.type === 'mvhd') {
      const view = await read(at + box.header, Math.min(32, box.size - box.header))
      if (view.byteLength < 20) throw damagedFileError()
      const wide = view.getUint8(0) === 1
      if (wide && view.byteLength < 32) throw damagedFileError()
      const scale = view.getUint32(wide ? 20 : 12)
      const length = wide ? Number(view.getBigUint64(24)) : view.getUint32(16)
      return scale && length ? Math.ceil((length * 1000) / scale) : null
    }
    at += box.size
  }
  return null
}
