import { compressResponseBody } from '../compression.ts'

/** A smaller response fits into one or two packets anyway. */
const MIN_COMPRESSED_BYTES = 2048

export const isLargeEnoughToCompress = (bytes: number) => bytes >= MIN_COMPRESSED_BYTES

/**
 * A response's body in the best encoding that the client accepts, with the headers that describe it.
 * @param accept the request's `Accept-Encoding`
 */
export async function encodeBody(
  text: string,
  accept?: string,
): Promise<{ body: string | Buffer; headers: Record<string, string | number> }> {
  const [compressed] = Object.entries(await compressResponseBody(Buffer.from(text), accept))
  const [encoding, body] = compressed ?? [undefined, text]
  const length = Buffer.byteLength(body)
  return { body, headers: { vary: 'Accept-Encoding', ...(encoding && { 'content-encoding': encoding }), 'content-length': length } }
}
