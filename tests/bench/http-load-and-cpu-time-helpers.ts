import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface LoadTestResult {
  requests: number
  /** Milliseconds from the first byte sent to the end of the response: median, 99th percentile, maximum. */
  p50: number
  p99: number
  max: number
  /** The number of responses by status. */
  statuses: Record<number, number>
}

/**
 * Sends one request repeatedly over keep-alive connections, each as soon as the previous response has ended, for the given time. Uses raw
 * sockets, because the load generator must cost less than what it measures. Responses need a `content-length` or no body (204, 304).
 */
export async function runLoadTest(
  port: number,
  request: string,
  o: { connections: number; milliseconds: number },
): Promise<LoadTestResult> {
  const bytes = Buffer.from(request)
  const times: number[] = []
  const statuses: Record<number, number> = {}
  const until = performance.now() + o.milliseconds
  const one = () =>
    new Promise<void>((done, fail) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let started = 0
      let missing = -1
      let head = ''
      const next = () => {
        if (performance.now() >= until) {
          socket.destroy()
          return done()
        }
        started = performance.now()
        missing = -1
        head = ''
        socket.write(bytes)
      }
      socket.on('connect', next)
      socket.on('error', fail)
      socket.on('data', (chunk: Buffer) => {
        if (missing < 0) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))
          missing = (length ? Number(length[1]) : 0) - (head.length - end - 4)
        } else missing -= chunk.length
        if (missing > 0) return
        const status = Number(head.slice(9, 12))
        statuses[status] = (statuses[status] ?? 0) + 1
        times.push(performance.now() - started)
        next()
      })
    })
  await Promise.all(Array.from({ length: o.connections }, one))
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { requests: times.length, p50: at(0.5), p99: at(0.99), max: times.at(-1) ?? 0, statuses }
}

/** Returns the CPU seconds that these processes have used so far, without their children. */
export const cpuSeconds = (...pids: number[]) =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)

/** Runs a program from `server-processes/`, which prints a JSON line with its port, as a process whose CPU time can be measured. */
export async function startBenchServerProcess(name: string, env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(`./server-processes/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const said = JSON.parse(String(line)) as { port: number } & Record<string, string>
  return {
    ...said,
    pid: child.pid!,
    stop: async () => {
      child.kill('SIGTERM')
      await once(child, 'close')
    },
  }
}

export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
