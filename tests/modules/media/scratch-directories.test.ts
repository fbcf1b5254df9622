import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sweepScratchDirectories } from '../../../modules/media/scratch-directories.ts'

test('a process removes only directories of dead processes, or with its own id', async () => {
  const dead = spawnSync('true').pid
  // Stands in for the id of another user's process.
  const foreign = dead + 1
  const kill = process.kill.bind(process)
  vi.spyOn(process, 'kill').mockImplementation((pid, signal) => {
    if (pid === foreign) throw Object.assign(new Error('not yours'), { code: 'EPERM' })
    return kill(pid, signal)
  })
  const names = [dead, process.pid, process.ppid, foreign, 'x']
    .map(whose => `diamondlink-media-${whose}-left`)
    .concat(`somebodys-media-${dead}-left`)
  for (const name of names) await mkdir(join(tmpdir(), name), { recursive: true })
  const left = () => names.map(name => existsSync(join(tmpdir(), name)))
  try {
    await sweepScratchDirectories()
    expect(left()).toEqual([false, false, true, true, true, true])
  } finally {
    vi.restoreAllMocks()
    for (const name of names) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
})
