import { compressResponse } from '../compression.ts'

/** A smaller response fits into one or two packets anyway. */
const MIN_COMPRESSED_BYTES = 2048

/**
 * A response's body in the best encoding that the client accepts, with the headers that describe it. Small bodies are not compressed, and
 * stay text: Node writes text together with the headers in one piece, but a buffer in a second one.
 * @param accept the request's `Accept-Encoding`
 */
export async function encodeBody(
  text: string,
  accept?: string,
): Promise<{ body: string | Buffer; headers: Record<string, string | number> }> {
  if (Buffer.byteLength(text) < MIN_COMPRESSED_BYTES) return { body: text, headers: { 'content-length': Buffer.byteLength(text) } }
  const [compressed] = Object.entries(await compressResponse(Buffer.from(text), accept))
  const [encoding, body] = compressed ?? [undefined, text]
  const length = Buffer.byteLength(body)
  return { body, headers: { vary: 'Accept-Encoding', ...(encoding && { 'content-encoding': encoding }), 'content-length': length } }
}
