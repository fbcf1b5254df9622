import { statfs } from 'node:fs/promises'

/** What must be free for this server to do its work, bytes. Postgres takes 16 MB at a time, and a video is prepared on the disk. */
const MIN_FREE_BYTES = 64 * 1024 * 1024

/** @throws Error where the disk under one of these directories is almost full. A directory that is not there is not used. */
export async function assertDiskSpace(directories: string[], minFreeBytes = MIN_FREE_BYTES): Promise<void> {
  for (const directory of directories) {
    const disk = await statfs(directory).catch(error => {
      if (error.code !== 'ENOENT') throw error
    })
    if (disk && disk.bavail * disk.bsize < minFreeBytes) throw new Error(`The disk of ${directory} is full.`)
  }
}
