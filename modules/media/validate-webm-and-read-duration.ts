import { type ByteSource, createReadAheadReader } from './read-ahead-reader.ts'
import { damagedFileError, truncatedFileError } from './unplayable-file-error.ts'

/** Element ids (RFC 9559). */
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const CLUSTER = 0x1f43b675
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
/** The maximum number of elements that are read before the first cluster, and inside `Info`; usually there are a handful. */
const MAX_ELEMENTS = 50

/**
 * Reads a WEBM up to its first media. Its segment must not be longer than the file, and tracks must come before media.
 * @returns the duration in milliseconds; null if the file does not declare one (a live recording)
 * @throws UnplayableFileError
 */
export async function validateWebmAndReadDuration(source: ByteSource): Promise<number | null> {
  const read = createReadAheadReader(source)
  const ebml = await element(read, 0, source.bytes)
  const segment = await element(read, ebml.end, source.bytes)
  if (segment.id !== SEGMENT) throw damagedFileError()
  if (segment.end > source.bytes) throw truncatedFileError()
  let milliseconds: number | null | undefined
  let tracks = false
  let at = segment.body
  for (let i = 0; i < MAX_ELEMENTS; i++) {
    const child = await element(read, at, segment.end)
    if (child.id === CLUSTER) {
      if (!tracks) throw damagedFileError()
      return milliseconds ?? null
    }
    if (child.id === TRACKS) tracks = true
    if (child.id === INFO && milliseconds === undefined) milliseconds = await duration(read, child.body, child.end)
    at = child.end
  }
  throw truncatedFileError()
}

type Read = ReturnType<typeof createReadAheadReader>

/** Reads an element's id and where its body begins and ends. An element of unknown size (a live recording) ends with its parent. */
async function element(read: Read, at: number, end: number) {
  const view = await read(at, Math.min(12, end - at))
  const id = vint(view, 0, true)
  const size = vint(view, id.length, false)
  const body = at + id.length + size.length
  return { id: id.value, body, end: size.unknown ? end : body + size.value }
}

/**
 * Reads a variable-size integer (RFC 8794, section 4), whose leading zero bits encode its length in bytes.
 * @param marked whether the value includes the length marker, as an element's id does
 */
function vint(view: DataView, at: number, marked: boolean) {
  if (at >= view.byteLength) throw truncatedFileError()
  const first = view.getUint8(at)
  const length = Math.clz32(first) - 23
  if (length > 8) throw damagedFileError()
  if (at + length > view.byteLength) throw truncatedFileError()
  const mask = 0xff >> length
  let value = marked ? first : first & mask
  let unknown = (first & mask) === mask
  for (let i = 1; i < length; i++) {
    const byte = view.getUint8(at + i)
    value = value * 256 + byte
    unknown &&= byte === 0xff
  }
  return { value, length, unknown }
}

async function duration(read: Read, start: number, end: number): Promise<number | null> {
  let scale = 1_000_000
  let length = 0
  for (let at = start, i = 0; at < end && i < MAX_ELEMENTS; i++) {
    const child = await element(read, at, end)
    const bytes = child.end - child.body
    if (child.id === TIMESTAMP_SCALE && bytes <= 8) {
      const view = await read(child.body, bytes)
      scale = 0
      for (let b = 0; b < view.byteLength; b++) scale = scale * 256 + view.getUint8(b)
    }
    if (child.id === DURATION && (bytes === 4 || bytes === 8)) {
      const view = await read(child.body, bytes)
      if (view.byteLength === bytes) length = bytes === 4 ? view.getFloat32(0) : view.getFloat64(0)
    }
    at = child.end
  }
  return length > 0 && Number.isFinite(length) ? Math.ceil((length * scale) / 1_000_000) : null
}
