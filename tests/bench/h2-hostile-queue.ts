import { execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { newPlayerInput } from '../api/test-server.ts'
import { startTestInstallation } from '../faults/test-installation.ts'
import { mp4DeclaringSmallerPicture, soundBombMp4 } from '../modules/media/decompression-bombs.ts'
import { ensureCustomTestClip, ffmpegPath } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { preparationStateOf, uploadVideo } from './upload-video.ts'

/** Number of hostile files. */
const FILES = 20
const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26', '-g', '60', '-pix_fmt', 'yuv420p']

/** Makes a video of 8192 × 8192 pixels per frame. 36 frames have about as many pixels as 20 s of 1080p at 60 frames per second. */
async function largest(dir: string, frames: number): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(dir, `${frames}.mp4`)
  const source = ['-f', 'lavfi', '-i', 'color=s=8192x8192:r=30', '-frames:v', `${frames}`]
  await promisify(execFile)(ffmpegPath!, [
    ...['-loglevel', 'error', ...source, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', path],
  ])
  return new Uint8Array(await readFile(path))
}

/** Starts a process that prepares videos as a server with MEDIA_WORKERS=1 does. */
const preparer = ({ databaseUrl, s3 }: { databaseUrl: string; s3: object }) =>
  spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'server-processes/media-worker.ts')], {
    env: { ...process.env, DATABASE_URL: databaseUrl, S3: JSON.stringify(s3) },
    stdio: 'ignore',
  })

/** H2: how long a player waits for a swing that is queued behind another player's files, each of which keeps the worker busy. */
export default async function measureHostileQueue(): Promise<BenchmarkFigure[]> {
  if (!ffmpegPath) return []
  const dir = await mkdtemp(join(tmpdir(), 'bench-h2-'))
  const [soundBomb, large] = [await soundBombMp4(), await largest(dir, 36)]
  const kinds = [soundBomb, mp4DeclaringSmallerPicture(large.slice()), large]
  const swing = await readFile(await ensureCustomTestClip('h2-swing.mp4', { frames: 180, rate: '60', encode, width: 1920, height: 1080 }))
  const w = await startTestInstallation({ MEDIA_WORKERS: '0' })
  const sql = createPostgresPool(w.server.config.databaseUrl, { max: 1 })
  const other = await w.register('player', newPlayerInput())
  const folder = randomUUID()
  await other.call('POST', '/api/folders', { id: folder, name: 'Swings' })
  const hostile: string[] = []
  for (let i = 0; i < FILES; i++) hostile.push(await uploadVideo(w.player, await w.newFolder(), kinds[i % kinds.length]!))
  while (((await sql`select count(*)::int as n from media_work`)[0]!.n as number) < FILES) await sleep(100)
  const worker = preparer(w.server.config)
  try {
    while (!(await sql`select 1 from media_work where state = 'preparing'`).length) await sleep(20)
    const started = performance.now()
    const clip = await uploadVideo(other, folder, swing)
    let its = await preparationStateOf(sql, clip)
    for (; its?.state !== 'ready'; its = await preparationStateOf(sql, clip)) {
      if (its?.state === 'refused') throw new Error(`The swing was refused: ${its.code}`)
      await sleep(100)
    }
    const seconds = (performance.now() - started) / 1000
    const open = await sql`select 1 from media_work where video in ${sql(hostile)} and state in ('waiting', 'preparing')`
    return [
      {
        id: 'H2',
        name: `time until a 3 s swing is ready behind ${FILES} hostile files of another player, with its upload`,
        value: seconds,
        unit: 's',
        bar: 60,
        better: 'less',
      },
      { id: 'H2', name: 'hostile files that were still waiting or being prepared then', value: open.length, unit: '' },
    ]
  } finally {
    worker.kill('SIGKILL')
    await sql.end()
    await w.server.stop()
    await rm(dir, { recursive: true })
  }
}
