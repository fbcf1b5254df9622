import { readdir, readFile } from 'node:fs/promises'

const CLOCK_TICKS_PER_SECOND = 100

/** The usage of processes so far: CPU seconds, and resident memory in bytes. */
export interface ProcessUsage {
  cpu: number
  memory: number
}

/** The usage of a process and all its descendants; null if the system does not report it, or the process has ended. */
export async function readProcessTreeUsage(pid: number): Promise<ProcessUsage | null> {
  try {
    const [status, stat, threads] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readdir(`/proc/${pid}/task`),
    ])
    const children = await Promise.all(
      // The thread may have ended, or the kernel may lack this file.
      threads.map(thread => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
    )
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // utime, stime, cutime, cstime: the last two are the times of children that have ended.
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0)
    const processUsage = { cpu: ticks / CLOCK_TICKS_PER_SECOND, memory: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024 }
    const below = await Promise.all(children.join(' ').split(' ').filter(Boolean).map(Number).map(readProcessTreeUsage))
    return below.reduce<ProcessUsage>(
      (sum, usage) => ({ cpu: sum.cpu + (usage?.cpu ?? 0), memory: sum.memory + (usage?.memory ?? 0) }),
      processUsage,
    )
  } catch {
    return null
  }
}
