import { execFile } from 'node:child_process'
import { readFile, rename, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPostgresPool } from '../../src/server/postgres-pool.ts'
import { startTestInstallation } from '../faults/test-installation.ts'
import { ensureCustomTestClip, ffmpegPath } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'
import { preparationStateOf, uploadVideo } from './upload-video.ts'

const CLIP_SECONDS = 10
const FILM_SECONDS = 600
const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '32', '-g', '60', '-pix_fmt', 'yuv420p']
const full = { width: 1920, height: 1080 }

/** Creates a ten-minute film, the same ten seconds repeated, unless an earlier run has done so. Returns its path. */
async function film(): Promise<string> {
  const part = await ensureCustomTestClip('v7-part.mp4', { frames: 30 * CLIP_SECONDS, rate: '30', encode, ...full })
  const whole = part.replace('v7-part', 'v7-film')
  if (await stat(whole).catch(() => null)) return whole
  const draft = whole.replace('.mp4', '-draft.mp4')
  await promisify(execFile)(ffmpegPath!, [
    ...['-y', '-loglevel', 'error', '-stream_loop', `${FILM_SECONDS / CLIP_SECONDS - 1}`, '-i', part, '-c', 'copy', draft],
  ])
  await rename(draft, whole)
  return whole
}

/** V7: measures how soon a 10-second clip can be watched, on an idle worker and while a 10-minute film is being prepared. */
export default async function measureShortClipWait(): Promise<BenchmarkFigure[]> {
  if (!ffmpegPath) return []
  const [long, short] = [
    await film(),
    await ensureCustomTestClip('v7-clip.mp4', { frames: 60 * CLIP_SECONDS, rate: '60', encode, ...full }),
  ]
  const w = await startTestInstallation({ MEDIA_WORKERS: '1' })
  const sql = createPostgresPool(w.server.config.databaseUrl, { max: 1 })
  /** Waits until `isFar` accepts the state of a video's preparation. @returns the wait in seconds @throws Error if the video is refused */
  const until = async (video: string, isFar: (state: string, progress: number) => boolean) => {
    const started = performance.now()
    for (;;) {
      const its = await preparationStateOf(sql, video)
      if (its?.state === 'refused') throw new Error(`A clip was refused: ${its.code}`)
      if (its && isFar(its.state, its.progress)) return (performance.now() - started) / 1000
      await sleep(100)
    }
  }
  const isReady = (state: string) => state === 'ready'
  try {
    const [folder, clip] = [await w.newFolder(), await readFile(short)]
    const alone = await until(await uploadVideo(w.player, folder, clip), isReady)
    const movie = await uploadVideo(w.player, folder, await readFile(long))
    await until(movie, (_, progress) => progress > 0)
    const beside = await until(await uploadVideo(w.player, folder, clip), isReady)
    const { state, progress } = (await preparationStateOf(sql, movie))!
    return [
      { id: 'V7', name: `until a clip of ${CLIP_SECONDS} s (1080p60) is ready, on an idle worker`, value: alone, unit: 's' },
      {
        id: 'V7',
        name: 'until it is ready while a film of 10 minutes (1080p30) is being prepared',
        value: beside,
        unit: 's',
        bar: 15,
        better: 'less',
      },
      { id: 'V7', name: `share of the film prepared by then (${state})`, value: progress * 100, unit: '%' },
    ]
  } finally {
    await sql.end()
    await w.server.stop()
  }
}
