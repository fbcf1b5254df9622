import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Timeline, timeline } from '../../modules/media/frames.ts'
import { clock } from '../../src/player/media-time.ts'

/** Three seconds of 30 frames a second that begin when it is said, ticks. */
const swing = (more: { first?: number; hidden?: number } = {}) => timeline({ version: 1, scale: 30, first: 0, runs: [[90, 1]], ...more })
const original = (times = swing()) => ({ prepared: false, times, behind: 0 })
/** In the middle of a frame, and at three quarters of it, seconds. */
const [middle, aside] = [(frame: number) => (frame + 0.5) / 30, (frame: number) => (frame + 0.75) / 30]

/** How far a browser's times are from those of its seeks, for a clip and its length, and whether frames 7 and 40 may be named then. */
const echoing = [
  { engine: 'Firefox', clip: swing(), duration: 3, off: 0, named: true },
  { engine: 'Firefox, which plays what is hidden', clip: swing({ hidden: 45 }), duration: 3, off: 0, named: false },
  { engine: 'WebKit', clip: swing(), duration: 3, off: 2 / 30, named: true },
  { engine: 'WebKit, which knows what is hidden', clip: swing({ hidden: 45 }), duration: 3, off: 1.5, named: true },
  { engine: 'WebKit, which takes a part of a file for the whole', clip: swing(), duration: 2.5, off: 0, named: false },
]
test.each(echoing)('$engine tells the time that was sought to: $named', ({ clip, duration, off, named }) => {
  const its = clock(original(clip), duration)
  for (const frame of [7, 40]) {
    const answers = [middle(frame), aside(frame), middle(frame)].map(target => its.shows(frame, target, target + off))
    expect(answers.includes('yes')).toBe(named)
    expect(answers.at(-1)).toBe(named ? 'yes' : 'no')
    // Of an earlier seek.
    expect(its.shows(frame, middle(frame), middle(frame - 3) + off)).not.toBe('yes')
  }
  expect(its.plays()).toBe(named)
  expect(its.seconds(middle(7) + off)).toBeCloseTo(middle(7))
})

test('a clip that begins late begins at once in Firefox: its seeks are put right', () => {
  const late = swing({ first: 15 })
  const its = clock(original(late), 3)
  expect(its.shows(7, late.middle(7), late.middle(7))).toBe('again')
  expect(its.behind()).toBe(0.5)
  const target = late.middle(7) - its.behind()
  expect(its.shows(7, target, target)).toBe('yes')
  expect(its.seconds(target)).toBeCloseTo(late.middle(7))

  // Its length does not say with what its clock begins: perhaps with sound.
  const unknown = clock(original(late), 3.3)
  for (const at of [late.middle(7), late.middle(7) - 0.5]) expect(unknown.shows(7, at, at)).not.toBe('yes')
})

test.each([0, 15])('a browser that tells when frames begin is believed, whatever its length says (begins at tick %i)', first => {
  const times = swing({ first })
  const its = clock(original(times), 2.9)
  expect(its.shows(7, times.middle(7), times.start(7))).toBe('yes')
  expect(its.shows(8, times.middle(8), times.start(7))).toBe('no')
  expect(its.shows(8, times.middle(8), times.start(8))).toBe('yes')
  expect([its.behind(), its.plays()]).toEqual([0, true])
})

test('where pictures are hidden, the first in the file is not taken for the first frame', () => {
  const firefox = clock(original(swing({ hidden: 45 })), 3)
  expect(firefox.shows(0, middle(0), 0)).toBe('again')
  expect(firefox.shows(0, aside(0), aside(0))).toBe('no')
  const chromium = clock(original(swing({ hidden: 45 })), 3)
  expect(chromium.shows(0, middle(0), 0)).toBe('again')
  expect(chromium.shows(0, aside(0), 0)).toBe('yes')
})

test('where the rate changes, a browser with another clock for its pictures is not believed', () => {
  const times = timeline({
    ...{ version: 1, scale: 240, first: 0 },
    runs: [
      [80, 1],
      [60, 4],
    ],
  })
  const its = clock(original(times), 320 / 240)
  const asked = (frame: number) => [times.middle(frame), times.middle(frame) + 0.001].map(at => its.shows(frame, at, at + 2 / 240)).at(-1)
  expect([40, 78, 82, 120].map(asked)).toEqual(['yes', 'no', 'no', 'yes'])
})

/**
 * A rendition in WebKit on Linux: a seek finds the first frame that lasts beyond it, by GStreamer's idea of how long frames last, seconds.
 * Asks as the player does; answers whether the frame was named, and fails where it was another. `late`: first there comes the next frame's
 * picture, from before the seek.
 */
function guessing(times: Timeline, idea: (frame: number) => number, late = false) {
  const its = clock({ prepared: true, times, behind: 0 }, times.end(times.frames - 1), true)
  const all = Array.from({ length: times.frames }, (_, frame) => frame)
  return (frame: number) => {
    let aside = false
    for (let tries = 0, seeks = 0; tries < 3; tries++) {
      for (let answer = 'again'; answer === 'again'; seeks++) {
        if (seeks > 9) throw new Error(`Frame ${frame} is asked for again and again.`)
        aside = seeks > 0 && !aside
        const part = its.parts(frame)[aside ? 1 : 0]
        expect(part).not.toBe(Number.NEGATIVE_INFINITY)
        const target = Math.max(0, times.start(frame) + (times.end(frame) - times.start(frame)) * part)
        if (late && seeks === 0) its.shows(frame, target, times.start(frame + 1))
        const found = all.find(f => times.start(f) + idea(f) > target) ?? times.frames - 1
        answer = its.shows(frame, target, Math.max(times.start(found), target))
        if (answer === 'yes') expect(found).toBe(frame)
        if (answer === 'yes') return true
      }
    }
    return false
  }
}
const [mean, exact] = [
  (times: Timeline) => times.end(times.frames - 1) / times.frames,
  (times: Timeline) => (f: number) => times.end(f) - times.start(f),
]

const mixed = timeline({
  ...{ version: 1, scale: 2400, first: 0 },
  runs: [
    [80, 10],
    [60, 40],
    [100, 10],
  ],
})
const variable = timeline({
  ...{ version: 1, scale: 600, first: 0 },
  runs: Array.from({ length: 30 }, (_, i) => [1 + (i % 2), i % 3 ? 22 : 17]),
})
const ideas = [
  { idea: 'the mean', clip: 'a clip of two rates', times: mixed, lasts: () => 1001 / 137_000 },
  { idea: 'a tick', clip: 'a clip of two rates', times: mixed, lasts: () => 1 / 2400 },
  { idea: 'their own', clip: 'a clip of two rates', times: mixed, lasts: exact(mixed) },
  { idea: 'a tick', clip: 'a variable clip', times: variable, lasts: () => 1 / 600 },
  { idea: 'the mean', clip: 'a variable clip', times: variable, lasts: () => mean(variable) },
]
test.each(ideas)('every frame of $clip is found where each is taken to last $idea', ({ times, lasts }) => {
  const ask = guessing(times, lasts)
  // Back and forth, from the first to the last.
  const order = Array.from({ length: times.frames }, (_, i) => (i * 101) % times.frames)
  expect(order.filter(frame => !ask(frame))).toEqual([])
})

test('no frame is ever named for another, however long frames are taken to last', () => {
  const run = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 3, max: 100 }))
  const clip = fc.array(run, { minLength: 1, maxLength: 6 }).map(runs => timeline({ version: 1, scale: 1000, first: 0, runs }))
  fc.assert(
    fc.property(
      clip,
      fc.constantFrom('mean', 'tick', 'own'),
      fc.array(fc.nat(), { minLength: 1, maxLength: 30 }),
      (times, which, asked) => {
        const ask = guessing(times, which === 'own' ? exact(times) : () => (which === 'mean' ? mean(times) : 0.001))
        for (const n of asked) ask(n % times.frames)
      },
    ),
    { numRuns: 500 },
  )
})

test('an original whose clock is known is found by its frames’ own times where each is taken to last a tick', () => {
  const off = 2 / 30
  const its = clock(original(), 3, true)
  its.rests(off)
  expect(its.shows(7, middle(7), 8 / 30 + off)).toBe('again')
  expect(its.parts(7)).toEqual([-1 / 8, -1 / 16])
  expect(its.shows(7, (7 - 1 / 8) / 30, 7 / 30 + off)).toBe('yes')
  expect(its.shows(9, (9 - 1 / 8) / 30, 10 / 30 + off)).not.toBe('yes')

  // Nothing told what its clock is: the same distance between frames is none of what was sought to.
  const unknown = clock(original(), 3, true)
  for (const frame of [7, 20, 33, 46])
    for (const at of [middle, aside]) expect(unknown.shows(frame, at(frame), (frame + 1) / 30 + off)).not.toBe('yes')

  // Its clock is half a frame off: what looks like the next frame's own time is that of its middle.
  const half = clock(original(), 3, true)
  for (const at of [middle, aside, middle]) half.shows(7, at(7), at(7) + 0.5 / 30)
  expect(half.parts(7)[0]).toBe(0.5)

  // A frame's own time proves that frame alone: others may tell the time that was sought to.
  const both = clock(original(), 3, true)
  expect(both.shows(7, middle(7), 7 / 30)).toBe('yes')
  expect(both.shows(8, middle(8), middle(8))).toBe('yes')
})

test.each(['the mean', 'their own'])('a late picture of the next frame misleads once where frames are taken to last %s', idea => {
  const times = swing()
  const misled = guessing(times, idea === 'their own' ? exact(times) : () => mean(times) * 1.01, true)
  for (const frame of [7, 6, 5, 30, 29, 0, 1]) expect(misled(frame)).toBe(true)
})
