import { readdirSync, readFileSync } from 'node:fs'
import { residentMegabytes } from './simulated-uploader-and-memory-sampling.ts'

const SAMPLE_MS = 5000

/** Returns a process's parent and its CPU times in seconds, from `/proc/PID/stat`. */
function processOf(pid: number) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / 100
  return { pid, parent: Number(fields[1]), own: seconds(11), endedChildren: seconds(13) }
}

/** A snapshot of all processes, with functions for a process's children, its total CPU seconds, and whether it contains another process. */
function processTree() {
  const found = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      try {
        return [processOf(Number(pid))]
      } catch {
        return []
      }
    })
  const childrenOf = (pid: number) => found.filter(p => p.parent === pid)
  /** CPU seconds of a process and all that it has started, running or ended. */
  const total = (pid: number): number => {
    const self = found.find(p => p.pid === pid)
    return self ? self.own + self.endedChildren + childrenOf(pid).reduce((sum, child) => sum + total(child.pid), 0) : 0
  }
  const contains = (pid: number, other: number): boolean => pid === other || childrenOf(pid).some(child => contains(child.pid, other))
  return { found, childrenOf, total, contains }
}

/** Whether a process is the embedded object store (src/embedded/s3-server-process.ts). */
const isObjectStore = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('s3-server-process')

/**
 * CPU seconds that a server with embedded services has used so far: its own process, Postgres, the object store, and the processes that
 * prepare videos.
 */
function cpuOf(server: number, postmaster: number) {
  const { found, childrenOf, total, contains } = processTree()
  const node = found.find(p => p.pid === server)!
  const others = childrenOf(server).filter(child => !contains(child.pid, postmaster))
  const sum = (children: typeof others) => children.reduce((seconds, child) => seconds + total(child.pid), 0)
  const stores = others.filter(child => isObjectStore(child.pid))
  return {
    node: node.own,
    postgres: total(postmaster),
    objectStore: sum(stores),
    media: node.endedChildren + sum(others.filter(child => !stores.includes(child))),
  }
}

/** The highest value of a metric across all labels, from Prometheus' text format; 0 if there is none. */
function highestOf(text: string, metric: string): number {
  const values = [...text.matchAll(new RegExp(`^diamondlink_${metric}(?:\\{[^}]*\\})? ([\\d.e+-]+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  )
  return Math.max(0, ...values)
}

/** Samples a server with embedded services every 5 s. Returns a function that ends this and resolves to the maxima and the CPU time. */
export function startServerSampling(o: { pid: number; postmaster: number; metricsPort: number }) {
  const before = cpuOf(o.pid, o.postmaster)
  const most = { readerLag: 0, outboxAge: 0, mediaAge: 0, megabytes: 0 }
  let failed = 0
  async function sample() {
    const [text, megabytes] = await Promise.all([
      fetch(`http://127.0.0.1:${o.metricsPort}/metrics`).then(answer => answer.text()),
      residentMegabytes(o.pid),
    ])
    most.readerLag = Math.max(most.readerLag, highestOf(text, 'reader_lag_seconds'))
    most.outboxAge = Math.max(most.outboxAge, highestOf(text, 'errand_oldest_due_seconds'))
    most.mediaAge = Math.max(most.mediaAge, highestOf(text, 'media_oldest_waiting_seconds'))
    most.megabytes = Math.max(most.megabytes, megabytes)
  }
  const take = () =>
    sample().catch(() => {
      failed++
    })
  let latest = take()
  const timer = setInterval(() => {
    latest = take()
  }, SAMPLE_MS)
  return async () => {
    clearInterval(timer)
    await latest
    const after = cpuOf(o.pid, o.postmaster)
    const cpu = {
      node: after.node - before.node,
      postgres: after.postgres - before.postgres,
      objectStore: after.objectStore - before.objectStore,
      media: after.media - before.media,
    }
    return { most, cpu, failed }
  }
}
