import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ORIGINAL_FILE_NAME } from '../../modules/media/preparation-process/protocol.ts'
import { readProcessTreeUsage } from '../../modules/media/process-tree-usage.ts'
import { supervisePreparation } from '../../modules/media/supervise-preparation.ts'
import { type MediaWorkerTestbed, startMediaWorkerTestbed } from '../modules/media/media-worker-testbed.ts'
import { ensureCustomTestClip, ffmpegPath } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

/** The length of each test video. */
const SECONDS = 5
const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '20M', '-g', '60', '-pix_fmt', 'yuv420p']
const x265 = [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-b:v',
  '12M',
  '-x265-params',
  'log-level=error',
  '-tag:v',
  'hvc1',
  '-pix_fmt',
  'yuv420p',
]
const kinds = [30, 60, 240].flatMap(rate => [['hevc', rate, x265] as const, ['h264', rate, x264] as const])

async function measureWorker(testbed: MediaWorkerTestbed, file: string): Promise<{ seconds: number; core: number; memory: number }> {
  const { folder, video } = await testbed.add(file)
  const [taken] = await testbed.work.take(1, 600_000)
  const dir = await mkdtemp(join(tmpdir(), 'bench-v3-'))
  const started = performance.now()
  let [core, memory] = [0, 0]
  const order = {
    kind: 'rendition' as const,
    sources: [{ url: await testbed.objects.signFetch(taken!.key), file: ORIGINAL_FILE_NAME, bytes: taken!.bytes }],
    type: taken!.type,
    dir,
  }
  const child = supervisePreparation(order, async word => {
    if (word.is !== 'made' || !('rendition' in word.made)) return
    const at = (file: string, type: string, bytes: number) => testbed.objects.signStore(`bench/${folder}/${video}-${file}`, type, bytes)
    const { rendition, poster, filmstrip } = word.made
    return {
      rendition: await at('rendition', 'video/mp4', rendition.bytes),
      poster: await at('poster', 'image/jpeg', poster.bytes),
      filmstrip: await at('filmstrip', 'image/jpeg', filmstrip.bytes),
    }
  })
  const watch = setInterval(async () => {
    const used = child.pid ? await readProcessTreeUsage(child.pid) : null
    core = Math.max(core, used?.cpu ?? 0)
    memory = Math.max(memory, (used?.memory ?? 0) / 2 ** 20)
  }, 50)
  await child.outcome
  clearInterval(watch)
  const seconds = (performance.now() - started) / 1000
  await rm(dir, { recursive: true })
  return { seconds, core, memory }
}

/** Returns the seconds that the ffmpeg program takes for a similar rendition, without inspection, comparison or stills. */
function measureFfmpeg(file: string): number {
  const started = performance.now()
  execFileSync(
    ffmpegPath!,
    [
      ...['-y', '-loglevel', 'error', '-i', file, '-vf', "scale=-2:'min(720,ih)',format=yuv420p", '-fps_mode', 'passthrough'],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', '-g', '15', '-bf', '0', '-sc_threshold', '0', '-f', 'mp4', '/dev/null'],
    ],
    { stdio: 'ignore' },
  )
  return (performance.now() - started) / 1000
}

/** V3: measures how long preparing a video takes per second of video, also compared with the ffmpeg program, and its peak memory. */
export default async function measurePreparationTime(): Promise<BenchmarkFigure[]> {
  const figures: BenchmarkFigure[] = []
  const testbed = await startMediaWorkerTestbed()
  try {
    for (const [codec, rate, encode] of ffmpegPath ? kinds : []) {
      const name = `v3-${codec}-${rate}.mov`
      const file = await ensureCustomTestClip(name, {
        frames: rate * SECONDS,
        rate: `${rate}`,
        encode: [...encode],
        width: 1920,
        height: 1080,
      })
      const [reference, own] = [measureFfmpeg(file), await measureWorker(testbed, file)]
      const what = `1080p${rate} ${codec}`
      const bar = codec === 'hevc' && rate === 60 ? { bar: 1 } : {}
      figures.push({
        id: 'V3',
        name: `${what}: seconds per second of video`,
        value: own.seconds / SECONDS,
        unit: 's',
        ...bar,
        better: 'less',
      })
      // CPU time is independent of other load on the machine.
      figures.push({ id: 'V3', name: `${what}: CPU seconds per second of video`, value: own.core / SECONDS, unit: 's', better: 'less' })
      figures.push({ id: 'V3', name: `${what}: relative to the ffmpeg program`, value: own.seconds / reference, unit: '×', better: 'less' })
      figures.push({ id: 'V3', name: `${what}: memory of the preparation process`, value: own.memory, unit: 'MB', better: 'less' })
    }
  } finally {
    await testbed.end()
  }
  return figures
}
