import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'

const brotli = promisify(brotliCompress)
const gz = promisify(gzip)

/** A smaller response fits into one or two packets anyway. */
const MIN_COMPRESSED_BYTES = 2048
/** For responses that are sent once: a tenth larger than the smallest size, in a millisecond. */
const ONE_TIME_BROTLI_QUALITY = 5

/** Whether the client accepts an encoding; `br;q=0` means that it does not. */
export const acceptsEncoding = (accept: string, encoding: string) =>
  accept.includes(encoding) && !(accept.includes('q=0') && new RegExp(`\\b${encoding}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accept))

/** Compresses a response that is sent once, in a thread of Node's pool. */
export const compressOnceWithBrotli = (bytes: Uint8Array) =>
  brotli(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: ONE_TIME_BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length } })

/**
 * A response's body in the best encoding that the client accepts, with the headers that describe it. Small bodies are not compressed.
 * @param accept the request's `Accept-Encoding`
 */
export async function encodeBody(text: string, accept = ''): Promise<{ body: Buffer; headers: Record<string, string | number> }> {
  const plain = Buffer.from(text)
  if (plain.length < MIN_COMPRESSED_BYTES) return { body: plain, headers: { 'content-length': plain.length } }
  const encoding = ['br', 'gzip'].find(name => acceptsEncoding(accept, name))
  const body = encoding === 'br' ? await compressOnceWithBrotli(plain) : encoding ? await gz(plain) : plain
  return { body, headers: { vary: 'Accept-Encoding', ...(encoding && { 'content-encoding': encoding }), 'content-length': body.length } }
}
