import { readdir, readFile } from 'node:fs/promises'

/**
 * Returns the ids of this machine's processes that were started with this argument. Sandboxed processes are included, with the ids that
 * they have outside the sandbox. Returns none on a system without /proc.
 */
export async function findPidsByArgument(argument: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, i) => commands[i]!.split('\0').includes(argument)).map(Number)
}
