import { expect, test } from 'vitest'
import { timeline } from '../../../modules/media/frames.ts'
import { clock } from '../../../src/islands/folder/clock.ts'

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
