import { readdir, readFile } from 'node:fs/promises'

/**
 * The ids of this machine's processes that were started with this argument. Processes in a sandbox are among them, by the ids that they have
 * outside of it. None on a system without /proc.
 */
export async function findPidsByArgument(argument: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(name => /^\d+$/.test(name))
  const commands = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')))
  return pids.filter((_, i) => commands[i]!.split('\0').includes(argument)).map(Number)
}
