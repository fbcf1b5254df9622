const HASHED_EDGE_BYTES = 64 * 1024

/**
 * A fingerprint of a file's content, from its size and a hash of its first and last 64 KB. It ignores the name, because phones may name the
 * same file differently each time.
 * @throws DOMException if the file cannot be read
 */
export async function computeFileFingerprint(file: File): Promise<string> {
  // Web Crypto is missing outside a secure context, so fall back to the file's name and modification time.
  if (!globalThis.crypto?.subtle) return `${file.size}.${file.lastModified}.${file.name}`.slice(0, 300)
  const ends = await new Blob([
    file.slice(0, HASHED_EDGE_BYTES),
    file.slice(Math.max(HASHED_EDGE_BYTES, file.size - HASHED_EDGE_BYTES)),
  ]).arrayBuffer()
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', ends))
  return `${file.size}.${Array.from(digest.subarray(0, 16), b => b.toString(16).padStart(2, '0')).join('')}`
}
