import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FrameTimeline, frameTimeline } from '../../modules/media/frames.ts'
import {
  type Calibration,
  calibrateOnPausedPicture,
  createCalibration,
  recordSeekTarget,
  seekPoints,
  toFrameTableSeconds,
  verifyPlayingMediaTime,
  verifyPresentedFrame,
} from '../../src/player/calibrate-media-time-and-verify-frames.ts'

/** Creates a calibration that keeps what it learns from each picture, as the player does. */
function calibrate(...known: Parameters<typeof createCalibration>) {
  let calibration: Calibration = createCalibration(...known)
  return {
    verifyPresentedFrame(frame: number, target: number, mediaTime: number) {
      const [learned, verdict] = verifyPresentedFrame(calibration, { frame, target, isPlaying: false }, mediaTime)
      calibration = learned
      return verdict
    },
    calibrateOnSeek(target: number) {
      calibration = recordSeekTarget(calibration, target)
    },
    calibrateOnPlayingPicture(mediaTime: number) {
      const [learned, isKnown] = verifyPlayingMediaTime(calibration, mediaTime)
      calibration = learned
      return isKnown
    },
    calibrateOnPausedPicture(mediaTime: number) {
      calibration = calibrateOnPausedPicture(calibration, mediaTime)
    },
    timestampOffset: () => calibration.timestampOffset,
    tableSeconds: (mediaTime: number) => toFrameTableSeconds(calibration, mediaTime),
    seekPoints: (frame: number) => seekPoints(calibration, frame),
  }
}

/** Returns a timeline of 3 s at 30 fps. `first`: the tick at which it begins; `hidden`: how many ticks an edit list hides before it. */
const swing = (more: { first?: number; hidden?: number } = {}) =>
  frameTimeline({ version: 1, scale: 30, first: 0, runs: [[90, 1]], ...more })
const original = (times = swing()) => ({ isRendition: false, timeline: times, timestampOffset: 0 })
/** Two points inside a frame, in seconds: its middle, and the point at three quarters of its length. */
const [middle, threeQuarters] = [(frame: number) => (frame + 0.5) / 30, (frame: number) => (frame + 0.75) / 30]
const start = (frame: number) => frame / 30

/** Browsers whose reported times differ from the seek targets by `offset` seconds, and whether such times may confirm frames 7 and 40. */
const echoingBrowsers = [
  { engine: 'Firefox', clip: swing(), duration: 3, offset: 0, isConfirmed: true },
  { engine: 'Firefox, which plays hidden pictures', clip: swing({ hidden: 45 }), duration: 3, offset: 0, isConfirmed: false },
  { engine: 'WebKit', clip: swing(), duration: 3, offset: 2 / 30, isConfirmed: true },
  { engine: 'WebKit, which skips hidden pictures', clip: swing({ hidden: 45 }), duration: 3, offset: 1.5, isConfirmed: true },
  { engine: 'WebKit, which reads a part of a file as the whole', clip: swing(), duration: 2.5, offset: 0, isConfirmed: false },
]
test.each(echoingBrowsers)(
  'a frame reported by its seek target in $engine is confirmed: $isConfirmed',
  ({ clip, duration, offset, isConfirmed }) => {
    const calibration = calibrate(original(clip), duration)
    for (const frame of [7, 40]) {
      const answers = [middle(frame), threeQuarters(frame), middle(frame)].map(target =>
        calibration.verifyPresentedFrame(frame, target, target + offset),
      )
      expect(answers.includes('yes')).toBe(isConfirmed)
      expect(answers.at(-1)).toBe(isConfirmed ? 'yes' : 'no')
      // A late picture of an earlier seek proves nothing.
      expect(calibration.verifyPresentedFrame(frame, middle(frame), middle(frame - 3) + offset)).not.toBe('yes')
    }
    expect(calibration.calibrateOnPlayingPicture(middle(7) + offset)).toBe(isConfirmed)
    expect(calibration.tableSeconds(middle(7) + offset)).toBeCloseTo(middle(7))
  },
)

test('late pictures of an earlier seek do not change the measured offset', () => {
  const calibration = calibrate(original(), 3)
  for (const target of [middle(7), threeQuarters(7), middle(10)]) calibration.calibrateOnSeek(target)
  expect(calibration.verifyPresentedFrame(10, middle(10), middle(7))).toBe('again')
  calibration.calibrateOnSeek(threeQuarters(10))
  expect(calibration.verifyPresentedFrame(10, threeQuarters(10), threeQuarters(7))).not.toBe('yes')
  calibration.calibrateOnSeek(middle(10))
  expect(calibration.verifyPresentedFrame(10, middle(10), middle(10))).toBe('yes')
})

test('only a picture presented before the first seek counts as the first frame', () => {
  const sought = calibrate(original(), 3)
  sought.calibrateOnSeek(threeQuarters(0))
  sought.calibrateOnPausedPicture(threeQuarters(0) + 2 / 30)
  expect(sought.verifyPresentedFrame(1, middle(1), middle(0) + 2 / 30)).not.toBe('yes')
  const untouched = calibrate(original(), 3)
  untouched.calibrateOnPausedPicture(2 / 30)
  expect(untouched.verifyPresentedFrame(1, middle(1), middle(1) + 2 / 30)).toBe('yes')
})

test('a first picture confirms no frame if a seek began before it was presented', () => {
  // A clock with an offset of two frames reports the first frame with the start time of frame 2.
  const webkit = calibrate(original(), 3)
  webkit.calibrateOnSeek(middle(2))
  expect(webkit.verifyPresentedFrame(2, middle(2), start(2))).toBe('again')
  webkit.calibrateOnSeek(threeQuarters(2))
  expect(webkit.verifyPresentedFrame(2, threeQuarters(2), threeQuarters(2) + 2 / 30)).not.toBe('yes')
  const chromium = calibrate(original(), 3)
  chromium.calibrateOnSeek(middle(2))
  expect(chromium.verifyPresentedFrame(2, middle(2), start(2))).toBe('again')
  chromium.calibrateOnSeek(threeQuarters(2))
  expect(chromium.verifyPresentedFrame(2, threeQuarters(2), start(2))).toBe('yes')
})

test('seeks are corrected if Firefox starts a delayed clip at 0', () => {
  const late = swing({ first: 15 })
  const calibration = calibrate(original(late), 3)
  expect(calibration.verifyPresentedFrame(7, late.middle(7), late.middle(7))).toBe('again')
  expect(calibration.timestampOffset()).toBe(0.5)
  const target = late.middle(7) - calibration.timestampOffset()
  expect(calibration.verifyPresentedFrame(7, target, target)).toBe('yes')
  expect(calibration.tableSeconds(target)).toBeCloseTo(late.middle(7))

  // A duration of 3.3 s does not tell the player where Firefox's time starts: the sound may begin before the picture.
  const unknown = calibrate(original(late), 3.3)
  for (const at of [late.middle(7), late.middle(7) - 0.5]) expect(unknown.verifyPresentedFrame(7, at, at)).not.toBe('yes')
})

test.each([0, 15])('a reported frame start confirms its frame, for any frame length (first tick %i)', first => {
  const times = swing({ first })
  const calibration = calibrate(original(times), 2.9)
  calibration.calibrateOnPausedPicture(times.start(0))
  expect(calibration.verifyPresentedFrame(7, times.middle(7), times.start(7))).toBe('yes')
  expect(calibration.verifyPresentedFrame(8, times.middle(8), times.start(7))).toBe('no')
  expect(calibration.verifyPresentedFrame(8, times.middle(8), times.start(8))).toBe('yes')
  expect([calibration.timestampOffset(), calibration.calibrateOnPlayingPicture(times.start(8))]).toEqual([0, true])
})

test('a first picture that an edit list hides does not count as the first frame', () => {
  const firefox = calibrate(original(swing({ hidden: 45 })), 3)
  expect(firefox.verifyPresentedFrame(0, middle(0), 0)).toBe('again')
  expect(firefox.verifyPresentedFrame(0, threeQuarters(0), threeQuarters(0))).toBe('no')
  const chromium = calibrate(original(swing({ hidden: 45 })), 3)
  expect(chromium.verifyPresentedFrame(0, middle(0), 0)).toBe('again')
  expect(chromium.verifyPresentedFrame(0, threeQuarters(0), 0)).toBe('yes')
})

test('a target reported with an offset confirms no frame near a change of frame rate', () => {
  const times = frameTimeline({
    version: 1,
    scale: 240,
    first: 0,
    runs: [
      [80, 1],
      [60, 4],
    ],
  })
  const calibration = calibrate(original(times), 320 / 240)
  const lastVerdict = (frame: number) =>
    [times.middle(frame), times.middle(frame) + 0.001].map(at => calibration.verifyPresentedFrame(frame, at, at + 2 / 240)).at(-1)
  expect([40, 78, 82, 120].map(lastVerdict)).toEqual(['yes', 'no', 'no', 'yes'])
})

/**
 * Simulates a rendition in WebKit on Linux: a seek finds the first frame that ends after its target if each frame is as long as GStreamer
 * assumes (`guess`, in seconds). The returned function seeks as the player does. It returns whether the frame was confirmed, and fails if
 * the confirming picture shows another frame. `late`: the first seek to each frame also presents a late picture of the next frame.
 */
function seekInGStreamer(times: FrameTimeline, guess: (frame: number) => number, late = false) {
  const calibration = calibrate({ isRendition: true, timeline: times, timestampOffset: 0 }, times.end(times.frames - 1), true)
  const all = Array.from({ length: times.frames }, (_, frame) => frame)
  return (frame: number) => {
    let usesSecondPoint = false
    for (let tries = 0, seeks = 0; tries < 3; tries++) {
      for (let answer = 'again'; answer === 'again'; seeks++) {
        if (seeks > 9) throw new Error(`The player never stops seeking frame ${frame}.`)
        usesSecondPoint = seeks > 0 && !usesSecondPoint
        const part = calibration.seekPoints(frame)[usesSecondPoint ? 1 : 0]
        expect(part).not.toBe(Number.NEGATIVE_INFINITY)
        const target = Math.max(0, times.start(frame) + (times.end(frame) - times.start(frame)) * part)
        if (late && seeks === 0) calibration.verifyPresentedFrame(frame, target, times.start(frame + 1))
        const found = all.find(f => times.start(f) + guess(f) > target) ?? times.frames - 1
        answer = calibration.verifyPresentedFrame(frame, target, Math.max(times.start(found), target))
        if (answer === 'yes') expect(found).toBe(frame)
        if (answer === 'yes') return true
      }
    }
    return false
  }
}
const [mean, exact] = [
  (times: FrameTimeline) => times.end(times.frames - 1) / times.frames,
  (times: FrameTimeline) => (f: number) => times.end(f) - times.start(f),
]

const mixed = frameTimeline({
  version: 1,
  scale: 2400,
  first: 0,
  runs: [
    [80, 10],
    [60, 40],
    [100, 10],
  ],
})
const variable = frameTimeline({
  version: 1,
  scale: 600,
  first: 0,
  runs: Array.from({ length: 30 }, (_, i) => [1 + (i % 2), i % 3 ? 22 : 17]),
})
const guesses = [
  { guess: 'the mean', clip: 'a clip of two rates', times: mixed, lasts: () => 1001 / 137_000 },
  { guess: 'a tick', clip: 'a clip of two rates', times: mixed, lasts: () => 1 / 2400 },
  { guess: 'their own', clip: 'a clip of two rates', times: mixed, lasts: exact(mixed) },
  { guess: 'a tick', clip: 'a variable clip', times: variable, lasts: () => 1 / 600 },
  { guess: 'the mean', clip: 'a variable clip', times: variable, lasts: () => mean(variable) },
]
test.each(guesses)('every frame of $clip is found in GStreamer (assumed frame length: $guess)', ({ times, lasts }) => {
  const seek = seekInGStreamer(times, lasts)
  // Jump forward and back over the whole clip; 101 is coprime to the number of frames, so every frame comes exactly once.
  const order = Array.from({ length: times.frames }, (_, i) => (i * 101) % times.frames)
  expect(order.filter(frame => !seek(frame))).toEqual([])
})

test('no frame is confirmed with a wrong number, whatever length GStreamer assumes', () => {
  const run = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 3, max: 100 }))
  const clip = fc.array(run, { minLength: 1, maxLength: 6 }).map(runs => frameTimeline({ version: 1, scale: 1000, first: 0, runs }))
  fc.assert(
    fc.property(
      clip,
      fc.constantFrom('mean', 'tick', 'own'),
      fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
      (times, which, requestedFrames) => {
        const seek = seekInGStreamer(times, which === 'own' ? exact(times) : () => (which === 'mean' ? mean(times) : 0.001))
        for (const n of requestedFrames) seek(n % times.frames)
      },
    ),
    { numRuns: 500 },
  )
})

test('frames of an original with an offset are found if GStreamer assumes one tick', () => {
  const offset = 2 / 30
  const calibration = calibrate(original(), 3, true)
  calibration.calibrateOnPausedPicture(offset)
  expect(calibration.verifyPresentedFrame(7, middle(7), 8 / 30 + offset)).toBe('again')
  expect(calibration.seekPoints(7)).toEqual([-1 / 8, -1 / 16])
  expect(calibration.verifyPresentedFrame(7, (7 - 1 / 8) / 30, 7 / 30 + offset)).toBe('yes')
  expect(calibration.verifyPresentedFrame(9, (9 - 1 / 8) / 30, 10 / 30 + offset)).not.toBe('yes')

  // As long as the offset is unknown, it proves nothing that all reported times are equally far from the starts of their frames.
  const unknown = calibrate(original(), 3, true)
  for (const frame of [7, 20, 33, 46])
    for (const at of [middle, threeQuarters])
      expect(unknown.verifyPresentedFrame(frame, at(frame), (frame + 1) / 30 + offset)).not.toBe('yes')

  // With an offset of half a frame, a seek to the middle of frame 7 is reported with the start time of frame 8.
  const half = calibrate(original(), 3, true)
  for (const at of [middle, threeQuarters, middle]) half.verifyPresentedFrame(7, at(7), at(7) + 0.5 / 30)
  expect(half.seekPoints(7)[0]).toBe(0.5)

  // A reported frame start confirms only its own frame. It does not rule out echoes, so a later echo still confirms a frame.
  const both = calibrate(original(), 3, true)
  both.calibrateOnPlayingPicture(0)
  expect(both.verifyPresentedFrame(7, middle(7), 7 / 30)).toBe('yes')
  expect(both.verifyPresentedFrame(8, middle(8), middle(8))).toBe('yes')
})

test.each(['the mean', 'their own'])('each frame is found in GStreamer despite late pictures (assumed length: %s)', guess => {
  const times = swing()
  const isFoundDespiteLatePictures = seekInGStreamer(times, guess === 'their own' ? exact(times) : () => mean(times) * 1.01, true)
  for (const frame of [7, 6, 5, 30, 29, 0, 1]) expect(isFoundDespiteLatePictures(frame)).toBe(true)
})
