import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Video } from '../../modules/folders/contract.ts'
import { parseVideoKey, videoKeyPrefixes } from '../../modules/media/object-keys.ts'
import { objectStore } from '../../modules/media/object-store.ts'
import { haveSameFrames } from '../../modules/media/preparation-process/frame-parity.ts'
import { readContainerFile } from '../../modules/media/preparation-process/read-container-file.ts'
import { manualUpload, startTestInstallation, type TestInstallation } from '../faults/test-installation.ts'
import { minimalMp4File } from '../modules/media/container-builders.ts'
import { hevcClips, sampleVideos } from '../support/sample-media.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

const VIDEOS = 20
const KILLS = 50
/** The time limit of the whole measurement. */
const DEADLINE_MS = 1_200_000
const demo = join(import.meta.dirname, '../../src/demo/clips')
const VICTIMS = ['child', 'worker', 'child', 'server', 'store'] as const

/** Lists the processes of this machine, with their parents and command lines. */
async function processes(): Promise<{ pid: number; parent: number; command: string }[]> {
  const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
  return Promise.all(
    pids.map(async pid => {
      const [stat, command] = await Promise.all(['stat', 'cmdline'].map(file => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')))
      return { pid: Number(pid), parent: Number(stat!.slice(stat!.lastIndexOf(')') + 2).split(' ')[1]), command: command! }
    }),
  )
}

/** Starts a media worker in a separate process, and restarts it whenever it ends. */
function startWorkerProcess(w: TestInstallation) {
  let child: ChildProcess
  let ending = false
  const start = () => {
    const { databaseUrl, s3 } = w.server.config
    child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'server-processes/media-worker.ts')], {
      env: { ...process.env, DATABASE_URL: databaseUrl, S3: JSON.stringify(s3) },
      stdio: 'ignore',
    })
    child.once('exit', () => ending || setTimeout(start, 200))
  }
  start()
  return {
    get pid() {
      return child.pid!
    },
    end() {
      ending = true
      child.kill('SIGKILL')
    },
  }
}

/** Kills a process of this kind, and restarts it if it is the server. @returns whether there was a process to kill */
async function kill(which: (typeof VICTIMS)[number], w: TestInstallation, worker: { pid: number }): Promise<boolean> {
  if (which === 'server') {
    await w.server.kill('SIGKILL')
    await w.server.restart()
    return true
  }
  const ours = [w.server.pid, worker.pid]
  const victim =
    which === 'worker'
      ? worker.pid
      : (await processes()).find(
          p =>
            ours.includes(p.parent) && p.command.includes(which === 'child' ? 'media/preparation-process/main.ts' : 's3-server-process.ts'),
        )?.pid
  try {
    process.kill(victim!, 'SIGKILL')
    return true
  } catch {
    // It is not running, or has just been killed and not yet been restarted.
    return false
  }
}

/** The videos of these folders; null while the server does not respond. */
async function videosOf(w: TestInstallation, folders: string[]): Promise<Video[] | null> {
  const all: Video[] = []
  for (const folder of folders) {
    const answer = await w.player.call('GET', `/api/folders/${folder}`).catch(() => null)
    if (answer?.status !== 200) return null
    all.push(...answer.body.clips)
  }
  return all
}

/**
 * Whether a rendition reported as ready is complete: with the stated length and all frames of its table. Null while the store does not
 * respond.
 */
async function isWhole({ rendition }: Video, dir: string): Promise<boolean | null> {
  const got = async (url: string) => {
    const answer = await fetch(url).catch(() => null)
    // If the store is unreachable, nothing is known. If it answers with an error, such as 404, the file counts as empty.
    return answer === null ? null : answer.ok ? Buffer.from(await answer.arrayBuffer().catch(() => new ArrayBuffer(0))) : Buffer.alloc(0)
  }
  const [file, table] = [await got(rendition!.url!), await got(rendition!.table!)]
  if (file === null || table === null) return null
  if (file.length !== rendition!.bytes) return false
  const path = join(dir, 'rendition.mp4')
  await writeFile(path, file)
  return haveSameFrames(JSON.parse(`${table}`), (await readContainerFile(path, 'video/mp4')).table)
}

/** V6: prepares videos while the server, the worker, its child processes and the object store are killed at random; checks the outcome. */
export default async function measureKilledPreparations(): Promise<BenchmarkFigure[]> {
  const w = await startTestInstallation({ MEDIA_WORKERS: '1' })
  const dir = await mkdtemp(join(tmpdir(), 'bench-v6-'))
  const files = [join(demo, 'swing.mp4'), join(demo, 'swing-early-shoulder.mp4'), sampleVideos.mp4, hevcClips.silent]
  const folders: string[] = []
  let [added, empty] = [0, 0]
  for (let i = 0; i < VIDEOS; i++) {
    if (i % 3 === 0) folders.push(await w.newFolder())
    // Every seventh video has no visible content.
    const blank = i % 7 === 6
    const up = manualUpload(w.player, folders.at(-1)!, blank ? minimalMp4File() : await readFile(files[i % files.length]!))
    await up.start()
    await up.put([1], 0)
    if ((await up.complete()).status !== 200) continue
    added++
    if (blank) empty++
  }

  const worker = startWorkerProcess(w)
  const started = performance.now()
  const whole = new Set<string>()
  let [kills, half] = [0, 0]
  const counts: Record<string, number> = {}
  const checkRenditions = async () => {
    const all = await videosOf(w, folders)
    for (const video of all ?? []) {
      if (video.rendition?.state !== 'ready' || whole.has(video.id)) continue
      const fine = await isWhole(video, dir)
      if (fine) whole.add(video.id)
      else if (fine === false) half++
    }
    return all
  }
  const isOver = (all: Video[] | null) => all?.every(v => v.rendition?.state === 'ready' || v.rendition?.state === 'refused') ?? false
  let over = false
  while (!over && performance.now() - started < DEADLINE_MS) {
    const which = VICTIMS[Math.floor(Math.random() * VICTIMS.length)]!
    if (kills < KILLS && (await kill(which, w, worker))) {
      kills++
      counts[which] = (counts[which] ?? 0) + 1
    }
    await sleep(200 + Math.random() * 800)
    const all = await checkRenditions()
    // If all videos are done before the kills are over, they are all prepared again.
    if (kills < KILLS && isOver(all)) await prepareAllAgain(w, all!, whole)
    over = kills >= KILLS && isOver(all)
  }
  const seconds = (performance.now() - started) / 1000
  const all = (await videosOf(w, folders)) ?? []
  const unanswered =
    added - all.filter(v => v.rendition?.state === 'ready' || (v.rendition?.state === 'refused' && v.rendition.reason)).length
  // Check all renditions once more, including those that were already found complete.
  whole.clear()
  await checkRenditions()
  const orphans = await countLeftoverObjects(w, all)
  worker.end()
  await w.server.stop()
  await rm(dir, { recursive: true, force: true })
  const ready = all.filter(v => v.rendition?.state === 'ready').length
  const killed = Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .sort()
    .join(', ')
  return [
    { id: 'V6', name: `kills (${killed}) during ${VIDEOS} preparations`, value: kills, unit: '', bar: KILLS },
    { id: 'V6', name: 'videos neither prepared nor refused with a reason', value: unanswered, unit: '', bar: 0, better: 'less' },
    { id: 'V6', name: 'incomplete renditions reported as ready', value: half + ready - whole.size, unit: '', bar: 0, better: 'less' },
    { id: 'V6', name: 'orphaned objects', value: orphans, unit: '', bar: 0, better: 'less' },
    { id: 'V6', name: `videos prepared in the end (${empty} of ${VIDEOS} have no picture)`, value: ready, unit: '', bar: added - empty },
    { id: 'V6', name: 'duration', value: seconds, unit: 's' },
  ]
}

/** Puts all videos back into the queue. */
async function prepareAllAgain(w: TestInstallation, all: Video[], whole: Set<string>) {
  const { createPostgresPool } = await import('../../src/server/postgres-pool.ts')
  const sql = createPostgresPool(w.server.config.databaseUrl, { max: 1 })
  try {
    await sql`update media_work set state = 'waiting', tries = 0, losses = 0, progress = 0, made = null, due = now() where video in ${sql(all.map(v => v.id))}`
    await sql`select pg_notify('media', '')`
    whole.clear()
  } catch {
    // The server or its database has just been killed; try again in the next round.
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** Counts objects other than each video's original and frame table and, if it is ready, its rendition, poster and filmstrip. */
async function countLeftoverObjects(w: TestInstallation, all: Video[]): Promise<number> {
  const bytes = objectStore(w.server.config.s3)
  const orphans: string[] = []
  try {
    for (const prefix of [...videoKeyPrefixes, 'incoming/']) {
      for await (const { key } of bytes.list(prefix)) {
        const video = all.find(v => v.id === parseVideoKey(key)?.video)
        const kept = video?.rendition?.state === 'ready' ? videoKeyPrefixes : ['videos/', 'tables/']
        if (!video || !kept.includes(prefix)) orphans.push(key)
      }
    }
  } finally {
    bytes.close()
  }
  for (const key of orphans) console.log(`nobody's: ${key}`)
  return orphans.length
}
