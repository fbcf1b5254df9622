/** A file that is read in pieces. */
export interface ByteSource {
  bytes: number
  /** Reads the bytes from `start` up to, but not including, `end`; fewer at the end of the file. */
  read(start: number, end: number): Promise<Uint8Array>
}

const WINDOW_BYTES = 8 * 1024

/** Returns a reader that reads up to `WINDOW_BYTES` ahead, so that neighboring headers take one request. */
export function createReadAheadReader(source: ByteSource) {
  let start = 0
  let held = new Uint8Array()
  /** Returns a view of `length` bytes, starting at `from`; it is shorter at the end of the file. */
  return async (from: number, length: number): Promise<DataView> => {
    if (from >= source.bytes || length <= 0) return new DataView(new ArrayBuffer(0))
    if (from < start || from + length > start + held.length) {
      held = (await source.read(from, Math.min(from + Math.max(length, WINDOW_BYTES), source.bytes))) as Uint8Array<ArrayBuffer>
      start = from
    }
    // Only at the end of the file can `held` be shorter than `length`.
    return new DataView(held.buffer, held.byteOffset + from - start, Math.min(length, held.length))
  }
}
