import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as av from 'node-av'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logFfmpegErrorsAndFlagOversizedPictures } from '../../modules/media/preparation-process/node-av-helpers.ts'
import type { Comparison } from '../../modules/reviews/contract.ts'
import { layOutPictures } from '../../src/comparison/paint-compared-pictures.ts'
import { locateSegment } from '../../src/feedback/watch/playback-transitions.ts'
import { reviewPlaylistOf } from '../../src/feedback/watch/review-playlist.ts'
import { renderReview } from '../../src/review-video/render-review.ts'
import { ensureCustomTestClip, ffmpegPath, frameTableOf, renderRenditionOfTestClip } from '../support/test-clips.ts'
import { createSampleClipData, noteOnFrame, sampleReviewedSession, sampleVideoPropertiesAtRate } from './sample-review.ts'

// These tests render an MP4 with two angles of a swing, a mirrored clip, and an onion skin, and read the clips' frame numbers from it.

const BITS = 12
const SIZE = { width: 1280, height: 720 }
const [RATE_A, RATE_B, FRAMES_A, FRAMES_B] = [30, 15, 60, 30]
const side = (video: string, origin: number, more: object = {}) => ({ folder: 'f', video, origin, offset: 0, scale: 1, ...more })
const comparison = (id: string, mode: Comparison['mode'], sides: ReturnType<typeof side>[], more: object = {}): Comparison => ({
  id,
  title: '',
  mode,
  stretch: false,
  ...more,
  sides: sides as Comparison['sides'],
})
const session = sampleReviewedSession(
  {
    notes: [noteOnFrame('n', 30, { at: 1000, text: 'Hips', otherAngle: { video: 'b', frame: 12 } })],
    comparisons: [
      comparison('mirrored', 'side', [side('a', 20), side('b', 10, { mirrored: true })]),
      comparison('onion', 'ghost', [side('a', 30), side('a', 30)], { onionSkin: { opacity: 50, around: [1] } }),
    ],
  },
  [
    createSampleClipData('a', {
      milliseconds: 2000,
      media: sampleVideoPropertiesAtRate([RATE_A, 1], { frames: FRAMES_A, milliseconds: 2000 }),
    }),
    createSampleClipData('b', {
      milliseconds: 2000,
      media: sampleVideoPropertiesAtRate([RATE_B, 1], { frames: FRAMES_B, milliseconds: 2000 }),
    }),
  ],
)
const playlist = reviewPlaylistOf(session)
const durations = playlist.segments.map(s => s.milliseconds)

describe.skipIf(!ffmpegPath)('comparisons in a review video (needs ffmpeg)', () => {
  let dir: string
  let file: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'compared-video-'))
    const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p']
    const clips = []
    for (const [video, frames, rate] of [
      ['a', FRAMES_A, RATE_A],
      ['b', FRAMES_B, RATE_B],
    ] as const) {
      const clip = await ensureCustomTestClip(`compared-${video}.mp4`, { frames, rate: `${rate}`, width: 640, height: 360, encode })
      const rendition = await renderRenditionOfTestClip(clip)
      await copyFile(rendition, join(dir, video))
      clips.push({ video, file: video, table: await frameTableOf(rendition) })
    }
    file = join(dir, 'review.mp4')
    logFfmpegErrorsAndFlagOversizedPictures(av)
    await renderReview(av, { session, clips, voices: [] }, dir, file, () => {})
  }, 300_000)
  afterAll(() => rm(dir, { recursive: true }))

  /**
   * Returns the brightness of each bit in the lower row of a clip's picture, for every frame of the video. The upper row shows the bits of
   * the frame number, the lower row their complement.
   */
  async function complements({ left, top, width, height }: ReturnType<typeof layOutPictures>[0]): Promise<number[][]> {
    const row = `crop=${Math.round(width)}:${Math.round(height / 8)}:${Math.round(left)}:${Math.round(top + height / 8)}`
    const { stdout } = await promisify(execFile)(
      ffmpegPath!,
      ['-v', 'error', '-i', file, '-vf', `${row},scale=${BITS}:1:flags=area,format=gray`, '-f', 'rawvideo', 'pipe:1'],
      { encoding: 'buffer', maxBuffer: 64e6 },
    )
    return Array.from({ length: stdout.length / BITS }, (_, i) => [...stdout.subarray(i * BITS, (i + 1) * BITS)])
  }
  const numberOf = (bits: number[]) => bits.reduce((sum, gray, bit) => sum + (gray < 128 ? 1 << bit : 0), 0)

  /** Returns the frames of the video that show the comparison with this id, each with the time on the comparison's clock in ms. */
  const momentsOf = (id: string, count: number) =>
    Array.from({ length: count }, (_, index) => {
      const { index: nth, offset } = locateSegment(durations, ((index + 0.5) * 1000) / RATE_A)
      const segment = playlist.segments[nth]!
      return segment.kind === 'comparison' && segment.comparison.id === id
        ? [{ index, clock: segment.from + offset * segment.speed, isStill: segment.speed === 0 }]
        : []
    }).flat()
  const frameAt = (origin: number, clock: number, rate: number, frames: number) =>
    Math.max(0, Math.min(frames - 1, origin + Math.floor((clock * rate) / 1000)))

  test.each([
    ['two angles of a note run on one clock and pause at its two frames', 'n', 30, 12],
    ['a comparison with a mirrored clip shows it mirrored, on the same clock', 'mirrored', 20, 10],
  ])('%s', async (_, id, originA, originB) => {
    const [left, right] = layOutPictures('side', SIZE, [640 / 360, 640 / 360])
    const [a, b] = [await complements(left), await complements(right)]
    const moments = momentsOf(id, a.length)
    expect(moments.length).toBeGreaterThan(60)
    for (const { index, clock, isStill } of moments) {
      const shown = [numberOf(a[index]!), numberOf(b[index]!.toReversed())]
      if (isStill) expect(shown, `frame ${index}`).toEqual([originA, originB])
      expect(Math.abs(shown[0]! - frameAt(originA, clock, RATE_A, FRAMES_A)), `frame ${index}: ${shown}`).toBeLessThanOrEqual(1)
      expect(Math.abs(shown[1]! - frameAt(originB, clock, RATE_B, FRAMES_B)), `frame ${index}: ${shown}`).toBeLessThanOrEqual(1)
    }
    expect(new Set(moments.map(({ index }) => numberOf(a[index]!))).size).toBeGreaterThan(25)
  })

  test("an onion skin paints the next frame over each frame, at half the skin's opacity", async () => {
    const [whole] = layOutPictures('ghost', SIZE, [640 / 360, 640 / 360])
    const bits = await complements(whole)
    const moments = momentsOf('onion', bits.length).filter(({ clock }) => frameAt(30, clock, RATE_A, FRAMES_A) < FRAMES_A - 2)
    expect(moments.length).toBeGreaterThan(60)
    // Neighboring frames differ in the lowest bit. Its brightness is 191 or 64, as the next frame has 25% opacity, half the skin's 50%.
    for (const { index } of moments) expect(Math.min(Math.abs(bits[index]![0]! - 191), Math.abs(bits[index]![0]! - 64))).toBeLessThan(30)
  })
})
