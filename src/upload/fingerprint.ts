const HASHED_EDGE_BYTES = 64 * 1024

/**
 * The same for the same content, whatever name the phone gives the file this time: its size, and a hash of its first and last 64 KB.
 * @throws DOMException where the file cannot be read
 */
export async function fingerprintOf(file: File): Promise<string> {
  // Outside a secure context there is no Web Crypto: the file's name and time have to do.
  if (!globalThis.crypto?.subtle) return `${file.size}.${file.lastModified}.${file.name}`.slice(0, 300)
  const ends = await new Blob([
    file.slice(0, HASHED_EDGE_BYTES),
    file.slice(Math.max(HASHED_EDGE_BYTES, file.size - HASHED_EDGE_BYTES)),
  ]).arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', ends))
  return `${file.size}.${Array.from(digest.subarray(0, 16), b => b.toString(16).padStart(2, '0')).join('')}`
}
