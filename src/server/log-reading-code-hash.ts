import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * A hash of the code that reads the event log. When it changes, readers retry the streams that the old code parked. Servers with different
 * hashes, that is, of different releases, elect separate leaders.
 */
export function hashOfLogReadingCode(): string {
  const hash = createHash('sha256')
  for (const room of ['modules', 'projections']) {
    const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file))
    for (const file of files.sort()) hash.update(file).update(readFileSync(join(root, room, file)))
  }
  return hash.digest('base64url').slice(0, 16)
}
