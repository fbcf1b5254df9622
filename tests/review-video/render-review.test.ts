import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as av from 'node-av'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { logFfmpegErrorsAndFlagOversizedPictures } from '../../modules/media/preparation-process/node-av-helpers.ts'
import { locateSegment } from '../../src/feedback/watch/playback-transitions.ts'
import { reviewPlaylistOf, segmentStart } from '../../src/feedback/watch/review-playlist.ts'
import { stageContentAt } from '../../src/feedback/watch/stage-content.ts'
import { renderReview } from '../../src/review-video/render-review.ts'
import { reviewVideoFrameRate } from '../../src/review-video/review-video-size-and-frame-rate.ts'
import {
  ensureCustomTestClip,
  ffmpegPath,
  frameTableOf,
  readBurnedInFrameNumbers,
  renderRenditionOfTestClip,
} from '../support/test-clips.ts'
import {
  comparisonSyncedAtFrames,
  createSampleClipData,
  lineFromFrame,
  noteOnFrame,
  sampleReviewedSession,
  sampleVideoPropertiesAtRate,
  sampleVoiceOver,
} from './sample-review.ts'

// These tests read frame numbers, drawings and sound from a rendered MP4.

const run = promisify(execFile)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'review-video-'))
})
afterAll(() => rm(dir, { recursive: true }))

const session = sampleReviewedSession(
  {
    notes: [
      noteOnFrame('n1', 75, { shapes: [lineFromFrame('s1', 40), lineFromFrame('s2', 75)] }),
      noteOnFrame('n2', 120, { text: '', voice: 'v' }),
      noteOnFrame('n3', 200, { until: 229, text: 'Again and again' }),
    ],
    voices: [
      sampleVoiceOver('v', {
        actions: [
          [1000, 'play', 120],
          [2000, 'pause', 180],
          [2500, 'stroke', 's3', 0],
        ],
        shapes: [lineFromFrame('s3', 180)],
      }),
    ],
    comparisons: [comparisonSyncedAtFrames([60, 90])],
    goals: [{ id: 'g', text: 'Hands back until the front foot is down', state: 'given' }],
  },
  [createSampleClipData('a', { media: sampleVideoPropertiesAtRate([60, 1]) })],
)
const frameRate = reviewVideoFrameRate(session)
const playlist = reviewPlaylistOf(session)
const durations = playlist.segments.map(s => s.milliseconds)
const startOf = (kind: string) =>
  segmentStart(
    durations,
    playlist.segments.findIndex(s => s.kind === kind),
  )

/** Returns, for each frame, the brightness where a drawing has its white line; the clip is black there. */
async function lineBrightness(file: string): Promise<number[]> {
  const { stdout } = await run(
    ffmpegPath!,
    ['-loglevel', 'error', '-i', file, '-vf', 'crop=8:4:508:358,scale=1:1:flags=area,format=gray', '-f', 'rawvideo', 'pipe:1'],
    { encoding: 'buffer', maxBuffer: 64e6 },
  )
  return [...stdout]
}

/** Returns the times in seconds at which sound begins after silence. */
async function soundBegins(file: string): Promise<number[]> {
  const { stderr } = await run(ffmpegPath!, ['-i', file, '-vn', '-af', 'silencedetect=n=-40dB:d=0.1', '-f', 'null', '-'])
  return [...stderr.matchAll(/silence_end: ([\d.]+)/g)].map(([, seconds]) => Number(seconds))
}

describe.skipIf(!ffmpegPath)('a review video (needs ffmpeg)', () => {
  let file: string
  let times: ReturnType<typeof frameTimeline>
  beforeAll(async () => {
    const clip = await ensureCustomTestClip('review-video.mp4', {
      frames: 300,
      rate: '60',
      width: 640,
      height: 360,
      filter: 'drawbox=y=100:h=200:w=iw:color=black:t=fill',
      encode: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p'],
    })
    const rendition = await renderRenditionOfTestClip(clip)
    const table = await frameTableOf(rendition)
    times = frameTimeline(table)
    await copyFile(rendition, join(dir, 'clip-0'))
    // The voice-over has 1.25 s of silence, then a tone.
    const voice = "aevalsrc='0.5*sin(2*PI*660*t)*gte(t,1.25)':s=48000:d=4"
    await run(ffmpegPath!, ['-loglevel', 'error', '-f', 'lavfi', '-i', voice, '-c:a', 'aac', '-f', 'mp4', join(dir, 'voice-0')])
    file = join(dir, 'review.mp4')
    logFfmpegErrorsAndFlagOversizedPictures(av)
    const job = { session, clips: [{ video: 'a', file: 'clip-0', table }], voices: [{ id: 'v', file: 'voice-0' }] }
    await renderReview(av, job, dir, file, () => {})
  }, 300_000)

  const contentAt = (index: number) => {
    const at = locateSegment(durations, ((index + 0.5) * 1000) / frameRate)
    return stageContentAt(playlist.segments[at.index]!, at.offset, session, () => times)
  }

  test('shows the same frames as the player, with at most one frame of difference', async () => {
    const numbers = await readBurnedInFrameNumbers(file)
    expect(Math.abs(numbers.length / frameRate - playlist.milliseconds / 1000)).toBeLessThan(0.04)
    const expected = numbers.map((_, i) => {
      const picture = contentAt(i)
      return picture?.kind === 'clip' ? picture.frame : null
    })
    const mismatches = numbers.flatMap((number, i) =>
      expected[i] !== null && Math.abs(number - expected[i]!) > 1 ? [[i, number, expected[i]]] : [],
    )
    expect(mismatches).toEqual([])
    expect(new Set(expected).size).toBeGreaterThan(100)
    // The voice-over plays 60 frames of the clip, and nearly all of them are in the video.
    const played = numbers.filter(
      (_, i) => playlist.segments[locateSegment(durations, ((i + 0.5) * 1000) / frameRate).index]!.kind === 'voice',
    )
    expect(new Set(played).size).toBeGreaterThanOrEqual(58)
  })

  test('shows each drawing at its frames, with at most one frame of difference', async () => {
    const brightness = await lineBrightness(file)
    const isDrawn = (index: number) => {
      const picture = contentAt(index)
      return picture?.kind === 'clip' && picture.shapes.length > 0
    }
    const mismatches = brightness.flatMap((value, i) => {
      if (contentAt(i)?.kind !== 'clip') return []
      return [i - 1, i, i + 1].some(near => isDrawn(near) === value > 128) ? [] : [i]
    })
    expect(mismatches).toEqual([])
    expect(brightness.filter((value, i) => value > 128 && isDrawn(i)).length).toBeGreaterThan(60)
  })

  test('plays the voice-over within 50 ms of its time', async () => {
    const begins = await soundBegins(file)
    const expectedSeconds = (startOf('voice') + 1250) / 1000
    expect(Math.min(...begins.map(at => Math.abs(at - expectedSeconds)))).toBeLessThan(0.05)
  })

  test('has H.264 and AAC in the planned size', async () => {
    const { stdout } = await run(ffmpegPath!.replace(/ffmpeg$/, 'ffprobe'), [
      ...['-v', 'error', '-show_entries', 'stream=codec_name,width,height,r_frame_rate', '-of', 'json', file],
    ])
    expect(JSON.parse(stdout).streams).toMatchObject([
      { codec_name: 'h264', width: 1280, height: 720, r_frame_rate: '60/1' },
      { codec_name: 'aac' },
    ])
  })
})
