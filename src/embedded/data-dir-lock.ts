import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ConfigError } from '../config.ts'

/**
 * Locks the data directory until the returned function is called or this process exits, even in a crash.
 * @throws ConfigError if a running process has the lock, or the directory is not writable
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const file = join(dataDir, 'lock')
  const ownProcess = `${process.pid} ${await processStartTime(process.pid)}`
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    for (;;) {
      const taken = await writeFile(file, ownProcess, { flag: 'wx', mode: 0o600 }).then(
        () => false,
        error => error.code === 'EEXIST' || Promise.reject(error),
      )
      if (!taken) return () => rm(file, { force: true })
      const content = await readFile(file, 'utf8').catch(() => '')
      const pid = Number.parseInt(content, 10)
      if (content === `${pid} ${await processStartTime(pid)}`)
        throw new ConfigError(
          `DATA_DIR: ${dataDir} is in use by another DiamondLink (process ${pid}). Stop it, or set DATA_DIR and PORT to run a second one.`,
        )
      await rm(file, { force: true })
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST')
      throw new ConfigError(`DATA_DIR: cannot write to ${dataDir} (${code}). Give it to this user, or set DATA_DIR to another directory.`)
    throw error
  }
}

/**
 * The start time of a process in the system's own format, which distinguishes it from a later process with the same id. Returns 'gone' if
 * there is no such process, and 'never' if the id is not positive.
 */
async function processStartTime(pid: number): Promise<string> {
  if (!(pid > 0)) return 'never'
  if (platform() !== 'linux')
    return promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
      r => r.stdout.trim(),
      () => 'gone',
    )
  const [boot, stat] = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
  ])
  // The process name, in parentheses, may contain any characters; the start time is the 22nd field.
  return stat === null ? 'gone' : `${boot.trim()} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
}
