import { beforeEach, expect, test, vi } from 'vitest'
import { timeline } from '../../modules/media/frames.ts'

/** A <video> that tells each picture it shows; what it shows is told by hand. */
class Video extends EventTarget {
  style = {}
  readyState = 0
  paused = true
  seeking = false
  private time = 0
  private told: ((now: number, picture: { mediaTime: number }) => void) | undefined
  setAttribute() {}
  pause() {}
  get currentTime() {
    return this.time
  }
  set currentTime(seconds: number) {
    this.time = seconds
    this.seeking = true
  }
  requestVideoFrameCallback(told: (now: number, picture: { mediaTime: number }) => void) {
    this.told = told
  }
  loads() {
    this.readyState = 4
    this.dispatchEvent(new Event('loadeddata'))
  }
  shows(mediaTime: number) {
    this.seeking = false
    this.told?.(0, { mediaTime })
  }
}

const times = timeline({ version: 1, scale: 30, first: 0, runs: [[60, 1]] } as never)
const aim = (frame: number) => ({ frame, coming: [], local: times.start(frame), speed: 0 })
let video: Video
let pictures: { aim(aim: object): void; shown(): { frame: number } | null }
beforeEach(async () => {
  vi.stubGlobal('HTMLVideoElement', Video)
  // What the browser can do is asked when the module comes.
  vi.resetModules()
  const { Slaved } = await import('../../src/comparison/slaved.ts')
  video = new Video()
  pictures = new Slaved(
    video as never,
    { src: '/swing', timestampOffset: 0 } as never,
    times,
    times,
    () => {},
    () => {},
  ) as never
})

test('a picture has the number of its own frame, not of the one that was sought meanwhile', () => {
  video.loads()
  pictures.aim(aim(8))
  expect(video.seeking).toBe(true)
  expect(pictures.shown()?.frame).toBe(0)
  video.shows(times.start(8))
  expect(pictures.shown()?.frame).toBe(8)
})

test('before the first picture there is none', () => {
  pictures.aim(aim(8))
  expect(pictures.shown()).toBe(null)
})
