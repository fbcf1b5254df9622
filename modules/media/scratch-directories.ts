import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const DIRECTORY_PREFIX = 'diamondlink-media-'

/** Creates a directory for one preparation or for the stills of one review. Its name contains the id of this process. */
export const createScratchDirectory = () => mkdtemp(join(tmpdir(), `${DIRECTORY_PREFIX}${process.pid}-`))

/** Removes directories of processes that died before they could remove them. Call it before this process creates any. */
export async function sweepScratchDirectories() {
  for (const name of await readdir(tmpdir())) {
    const pid = name.startsWith(DIRECTORY_PREFIX) ? Number(name.slice(DIRECTORY_PREFIX.length).split('-')[0]) : 0
    // A directory with this process's own id belonged to a dead process that had the same id: this process has not created any yet.
    if (pid && (pid === process.pid || !isAlive(pid))) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {})
  }
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: the process is alive, but belongs to another user (kill(2)).
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
