import { statfs } from 'node:fs/promises'

/** The free disk space that this server needs: Postgres allocates 16 MB at a time, and videos are prepared on the disk. */
const MIN_FREE_BYTES = 64 * 1024 * 1024

/**
 * @throws Error if the disk of one of these directories is almost full. A directory that does not exist is skipped, because it is not in
 * use.
 */
export async function assertDiskSpace(directories: string[], minFreeBytes = MIN_FREE_BYTES): Promise<void> {
  for (const directory of directories) {
    const disk = await statfs(directory).catch(error => {
      if (error.code !== 'ENOENT') throw error
    })
    if (disk && disk.bavail * disk.bsize < minFreeBytes) throw new Error(`The disk of ${directory} is full.`)
  }
}
