import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes a stream to a new file that only its owner may read. @returns SHA-256 of the content in hexadecimal */
export async function writeAndHash(source: Readable, file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk)
        yield chunk
      }
    },
    createWriteStream(file, { mode: 0o600 }),
  )
  return hash.digest('hex')
}

/** SHA-256 of a file in hexadecimal. */
export async function sha256OfFile(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
