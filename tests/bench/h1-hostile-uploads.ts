import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { manualUpload, startTestInstallation } from '../faults/test-installation.ts'
import { hostileFileBuilders, hostileUploads } from '../modules/media/hostile-files.ts'
import { mediaTypeOf } from '../modules/media/media-worker-testbed.ts'
import { sampleVideos } from '../support/sample-media.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

/** Number of uploads. */
const FILES = Number(process.env.HOSTILE_FILES ?? 500)
/** The number of concurrent uploads, equal to the maximum number of videos in a session. */
const AT_ONCE = 3
/** The time limit for one file. A hostile file is probed at most twice, for a minute each time; the rest is for waiting in the queue. */
const MAX_FILE_MS = 600_000

const quantile = (numbers: number[], part: number) => [...numbers].sort((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? 0
const residentOf = async (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** The CPU time and the run queue time of the server's main thread so far, in ms; zeros if the system does not report them. */
async function mainThreadTimesOf(pid: number) {
  const [worked = 0, inLine = 0] = (await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').catch(() => '')).split(' ').map(Number)
  return { worked: worked / 1e6, inLine: inLine / 1e6 }
}

/** Measures the server's response time again and again. Returns a function that stops this and resolves to the times, in ms. */
function pulse(url: string) {
  const taken: number[] = []
  let ending = false
  const beating = (async () => {
    while (!ending) {
      const started = performance.now()
      await fetch(`${url}/api/health`).then(reply => reply.text())
      taken.push(performance.now() - started)
      await sleep(20)
    }
  })()
  return async () => {
    ending = true
    await beating
    return taken
  }
}

/**
 * H1: damaged, misleading and hostile files, uploaded as any user could: how the server handles each of them, and what they cost it in
 * memory and response time.
 */
export default async function measureHostileUploads(): Promise<BenchmarkFigure[]> {
  const w = await startTestInstallation({ MEDIA_WORKERS: `${cpus().length}` })
  const sql = createPostgresPool(w.server.config.databaseUrl, { max: 1 })
  try {
    const calm = pulse(w.server.url)
    await sleep(5000)
    const before = await calm()
    const memory = await residentOf(w.server.pid)
    const [began, then] = [performance.now(), await mainThreadTimesOf(w.server.pid)]
    const busy = pulse(w.server.url)
    let most = memory
    const answers: Record<string, number> = {}
    const waits: number[] = []
    let unanswered = 0
    const validFiles = Object.values(sampleVideos).map(file => ({ file, type: mediaTypeOf(file) }))

    async function one(name: string, type: string, bytes: Uint8Array) {
      const folder = await w.newFolder(name)
      const up = manualUpload(w.player, folder, bytes, type)
      await up.start()
      await up.put([1], 0)
      const started = performance.now()
      const { status, body } = await up.complete()
      if (status === 422) {
        count(`at once: ${body.code}`)
        return
      }
      if (status !== 200) {
        console.log(`${name}: answered ${status}`)
        unanswered++
        return
      }
      for (;;) {
        const [its] = await sql<{ state: string; code: string | null }[]>`
          select state, code from media_work where video = ${up.id} and state in ('ready', 'refused')`
        if (its) {
          waits.push(performance.now() - started)
          return count(`prepared: ${its.code ?? 'shown'}`)
        }
        if (performance.now() - started > MAX_FILE_MS) {
          console.log(`${name}: no answer`)
          unanswered++
          return
        }
        await sleep(100)
      }
    }
    const count = (answer: string) => {
      answers[answer] = (answers[answer] ?? 0) + 1
    }

    const files = hostileUploads(FILES, validFiles)
    const lane = async () => {
      for (const { name, type, bytes } of files) {
        await one(name, type, bytes)
        most = Math.max(most, await residentOf(w.server.pid))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, lane))
    const during = await busy()
    const now = await mainThreadTimesOf(w.server.pid)
    const part = (milliseconds: number) => (milliseconds / (performance.now() - began)) * 100
    for (const [answer, times] of Object.entries(answers).sort()) console.log(`${answer}: ${times}`)
    return [
      {
        id: 'H1',
        name: `hostile files without a clear answer, of ${FILES} (${Object.keys(hostileFileBuilders).length} kinds)`,
        value: unanswered,
        unit: '',
        bar: 0,
        better: 'less',
      },
      { id: 'H1', name: 'longest wait for an answer, with three files at a time', value: Math.max(0, ...waits) / 1000, unit: 's' },
      { id: 'H1', name: 'memory of the server before the uploads', value: memory, unit: 'MB' },
      { id: 'H1', name: 'peak memory of the server during the uploads', value: most, unit: 'MB' },
      { id: 'H1', name: 'response time before the uploads, p99', value: quantile(before, 0.99), unit: 'ms' },
      { id: 'H1', name: 'response time during the uploads, p50', value: quantile(during, 0.5), unit: 'ms' },
      { id: 'H1', name: 'response time during the uploads, p99', value: quantile(during, 0.99), unit: 'ms' },
      { id: 'H1', name: 'response time during the uploads, maximum', value: Math.max(...during), unit: 'ms' },
      { id: 'H1', name: 'share of the time that the main thread worked', value: part(now.worked - then.worked), unit: '%' },
      { id: 'H1', name: 'share of the time that the main thread waited for a CPU core', value: part(now.inLine - then.inLine), unit: '%' },
    ]
  } finally {
    await sql.end()
    await w.server.stop()
  }
}
