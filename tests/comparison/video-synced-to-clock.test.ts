import { beforeEach, expect, test, vi } from 'vitest'
import { frameTimeline } from '../../modules/media/frames.ts'
import { FakeVideo } from '../support/fake-video.ts'

const times = frameTimeline({ version: 1, scale: 30, first: 0, runs: [[60, 1]] } as never)
const target = (frame: number) => ({ frame, upcoming: [], seconds: times.start(frame), speed: 0 })
let video: FakeVideo
let pictures: { setTarget(target: object): void; picture(): { frame: number } | null }
beforeEach(async () => {
  vi.stubGlobal('HTMLVideoElement', FakeVideo)
  // The follower's modules test the browser's features when they load.
  vi.resetModules()
  const { VideoFollower } = await import('../../src/comparison/video-synced-to-clock.ts')
  video = new FakeVideo()
  pictures = new VideoFollower(
    video as never,
    { src: '/swing', timestampOffset: 0 } as never,
    times,
    times,
    () => {},
    () => {},
  ) as never
})

test('during a seek the follower reports the visible frame, not the target frame', () => {
  video.loadData()
  pictures.setTarget(target(8))
  expect(video.seeking).toBe(true)
  expect(pictures.picture()?.frame).toBe(0)
  video.endSeek()
  video.present(times.start(8))
  expect(pictures.picture()?.frame).toBe(8)
})

test('the follower has no picture until the first one is loaded', () => {
  pictures.setTarget(target(8))
  expect(pictures.picture()).toBe(null)
})
