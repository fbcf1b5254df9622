import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { compressWithBrotli, compressWithGzip } from '../compression.ts'

/** Names of files that compress well. Pictures, fonts and videos are already compressed. */
export const COMPRESSIBLE_FILE_NAME_PATTERN = /\.(html|css|m?js|json|svg|xml|txt|webmanifest|ico)$/

/** Writes `.br` and `.gz` next to each file of the built site that becomes smaller. Runs at the end of the build. */
export async function writePrecompressedFiles(directory: string): Promise<void> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true })).filter(
    f => f.isFile() && COMPRESSIBLE_FILE_NAME_PATTERN.test(f.name),
  )
  await Promise.all(
    files.map(async file => {
      const path = join(file.parentPath, file.name)
      const bytes = await readFile(path)
      const [br, gz] = await Promise.all([compressWithBrotli(bytes), compressWithGzip(bytes)])
      if (br.length < bytes.length) await writeFile(`${path}.br`, br)
      if (gz.length < bytes.length) await writeFile(`${path}.gz`, gz)
    }),
  )
}
