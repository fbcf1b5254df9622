import { compressOnce } from '../compression.ts'

/** A smaller response fits into one or two packets anyway. */
const MIN_COMPRESSED_BYTES = 2048

/**
 * A response's body in the best encoding that the client accepts, with the headers that describe it. Small bodies are not compressed.
 * @param accept the request's `Accept-Encoding`
 */
export async function encodeBody(text: string, accept?: string): Promise<{ body: Buffer; headers: Record<string, string | number> }> {
  const plain = Buffer.from(text)
  if (plain.length < MIN_COMPRESSED_BYTES) return { body: plain, headers: { 'content-length': plain.length } }
  const [compressed] = Object.entries(await compressOnce(plain, accept))
  const [encoding, body] = compressed ?? [undefined, plain]
  return { body, headers: { vary: 'Accept-Encoding', ...(encoding && { 'content-encoding': encoding }), 'content-length': body.length } }
}
