import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RENDER_INPUT_FILE_NAME, type SupervisedPreparationOrder } from '../../modules/media/preparation-process/protocol.ts'
import { readProcessTreeUsage } from '../../modules/media/process-tree-usage.ts'
import { findProcessSandbox, startSandboxedProcess } from '../../modules/media/sandbox.ts'
import { reviewPlaylistOf } from '../../src/feedback/watch/review-playlist.ts'
import {
  comparisonSyncedAtFrames,
  createSampleClipData,
  lineFromFrame,
  noteOnFrame,
  sampleReviewedSession,
  sampleVideoPropertiesAtRate,
  sampleVoiceOver,
} from '../review-video/sample-review.ts'
import { ensureCustomTestClip, ffmpegPath, frameTableOf, renderRenditionOfTestClip } from '../support/test-clips.ts'
import type { BenchmarkFigure } from './benchmark-figure.ts'

/** The length of each test clip. */
const SECONDS = 10
const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-g', '60', '-pix_fmt', 'yuv420p']
const root = join(import.meta.dirname, '../..')

/** Builds a review with everything: still and looping notes, drawings, a voice-over over the playing clip, a comparison, and a goal. */
function review(rate: number) {
  const frame = (seconds: number) => Math.round(seconds * rate)
  const at = (seconds: number) => ({ at: Math.ceil(seconds * 1000) })
  const voice = sampleVoiceOver('v', {
    frame: frame(4),
    milliseconds: 20_000,
    actions: [
      [1000, 'rate', 0.25],
      [1000, 'play', frame(4)],
      [15_000, 'pause', frame(7.5)],
      [16_000, 'stroke', 's2', 1500],
      [18_000, 'zoom', 2000, 5000, 5000],
    ],
    shapes: [lineFromFrame('s2', frame(7.5), { hold: frame(1) })],
  })
  return sampleReviewedSession(
    {
      notes: [
        noteOnFrame('n1', frame(3), {
          ...at(3),
          text: 'Hands drift back before the foot lands. '.repeat(3),
          shapes: [lineFromFrame('s1', frame(3))],
        }),
        noteOnFrame('n2', frame(4), { ...at(4), text: '', voice: 'v' }),
        noteOnFrame('n3', frame(9), { ...at(9), until: frame(9.5), text: 'Watch the front knee in these frames' }),
      ],
      voices: [voice],
      comparisons: [comparisonSyncedAtFrames([frame(3), frame(5)])],
      goals: [{ id: 'g', text: 'Hands back until the front foot is down', state: 'given' }],
    },
    [createSampleClipData('a', { milliseconds: SECONDS * 1000, media: sampleVideoPropertiesAtRate([rate, 1]) })],
  )
}

async function measure(rate: number): Promise<BenchmarkFigure[]> {
  const clip = await ensureCustomTestClip(`v9-${rate}.mp4`, {
    frames: rate * SECONDS,
    rate: `${rate}`,
    width: 1280,
    height: 720,
    sound: 'aac',
    encode,
  })
  const rendition = await renderRenditionOfTestClip(clip)
  const dir = await mkdtemp(join(tmpdir(), 'bench-v9-'))
  await copyFile(rendition, join(dir, 'clip-0'))
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=220:sample_rate=48000:duration=20', '-c:a', 'aac', '-f', 'mp4']
  execFileSync(ffmpegPath!, ['-y', '-loglevel', 'error', ...tone, join(dir, 'voice-0')])
  const session = review(rate)
  const table = await frameTableOf(rendition)
  const job = { session, clips: [{ video: 'a', file: 'clip-0', table }], voices: [{ id: 'v', file: 'voice-0' }] }
  await writeFile(join(dir, RENDER_INPUT_FILE_NAME), JSON.stringify(job))
  const task: Pick<SupervisedPreparationOrder, 'kind' | 'type' | 'dir'> = { kind: 'review', type: 'video/mp4', dir }
  const started = performance.now()
  const child = await startSandboxedProcess(join(root, 'src/review-video/main.ts'), [JSON.stringify(task)], {
    dir,
    nice: 0,
    sandbox: await findProcessSandbox(),
    readable: [join(root, 'src')],
  })
  let [core, memory] = [0, 0]
  const watch = setInterval(async () => {
    const used = await readProcessTreeUsage(child.pid!)
    core = Math.max(core, used?.cpu ?? 0)
    memory = Math.max(memory, (used?.memory ?? 0) / 2 ** 20)
  }, 50)
  child.stdout!.resume()
  child.stderr!.pipe(process.stderr)
  await new Promise(ended => child.once('close', ended))
  clearInterval(watch)
  const seconds = (performance.now() - started) / 1000
  const { size } = await stat(join(dir, 'review.mp4'))
  await rm(dir, { recursive: true })
  const length = reviewPlaylistOf(session).milliseconds / 1000
  const of = `a review of ${Math.round(length)} s on a clip of 720p${rate}`
  return [
    { id: 'V9', name: `${of}: seconds per second of video`, value: seconds / length, unit: 's', bar: 1.5, better: 'less' },
    // Other load on the machine affects CPU time much less than elapsed time.
    { id: 'V9', name: `${of}: CPU seconds per second of video`, value: core / length, unit: 's', better: 'less' },
    { id: 'V9', name: `${of}: memory of the process`, value: memory, unit: 'MB', better: 'less' },
    { id: 'V9', name: `${of}: size of the file`, value: size / 2 ** 20, unit: 'MB', better: 'less' },
  ]
}

/** V9: renders a review as one video in the sandbox; measures wall-clock and CPU seconds per second of video, memory and file size. */
export default async function measureReviewVideo(): Promise<BenchmarkFigure[]> {
  return ffmpegPath ? [...(await measure(60)), ...(await measure(240))] : []
}
