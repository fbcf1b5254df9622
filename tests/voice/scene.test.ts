import fc from 'fast-check'
import { atom } from 'nanostores'
import { describe, expect, test } from 'vitest'
import { Action, type Shape, type Voice } from '../../modules/reviews/contract.ts'
import { whole } from '../../src/drawing/view.ts'
import { createLeader } from '../../src/voice/leader.ts'
import { grown, shapesAt, stateAt } from '../../src/voice/scene.ts'

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [swing, tee] = [id(1), id(2)]
const LENGTH = 60_000
const drawings: Shape[] = [11, 12, 13].map(n => ({
  ...{ id: id(n), tool: n === 12 ? 'arrow' : 'pen', color: 0, width: 45 },
  ...{ p: n === 12 ? [100, 100, 400, 300] : [100, 100, 40, 60, 30, -20], from: 0, hold: 1, fade: 0 },
}))

const at = fc.integer({ min: 0, max: LENGTH })
const frame = fc.integer({ min: 0, max: 1800 })
const drawing = fc.constantFrom(...drawings.map(d => d.id))
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(at, fc.constantFrom('play' as const, 'pause' as const, 'seek' as const, 'at' as const), frame),
  fc.tuple(at, fc.constant('rate' as const), fc.constantFrom(0.1, 0.25, 0.5, 1, 2)),
  fc.tuple(at, fc.constant('clip' as const), fc.constantFrom(swing, tee), frame),
  fc.tuple(at, fc.constant('zoom' as const), fc.integer({ min: 1000, max: 8000 }), fc.nat(10_000), fc.nat(10_000)),
  fc.tuple(at, fc.constant('stroke' as const), drawing, fc.nat(500), fc.nat(500)),
  fc.tuple(at, fc.constant('erase' as const), drawing),
)
const voice = fc
  .array(action, { maxLength: 60 })
  .map(actions => ({ video: swing, frame: 7, shapes: drawings, actions: actions.sort(([a], [b]) => a - b) }))

test('every action that is made up here is one that a review takes', () => {
  fc.assert(
    fc.property(action, its => {
      expect(Action.parse(its)).toEqual(its)
    }),
  )
})

describe('what is seen at a moment', () => {
  test('is all that was done until then, and nothing of what comes later', () => {
    fc.assert(
      fc.property(voice, at, (its, ms) => {
        const until = its.actions.filter(([t]) => t <= ms)
        expect(stateAt(its, ms)).toEqual(stateAt({ ...its, actions: until }, LENGTH))
        // One more step on the way changes nothing: the fold of a part, gone on with the rest, is the fold of all.
        expect(shapesAt(its, stateAt(its, ms), ms)).toEqual(shapesAt(its, stateAt({ ...its, actions: until }, LENGTH), ms))
      }),
    )
  })
  test('a step that plays, a slower one, another clip, a zoom: each shows from its own moment on', () => {
    const its = {
      ...{ video: swing, frame: 7 },
      actions: [
        [0, 'play', 7],
        [1000, 'rate', 0.5],
        [2000, 'pause', 40],
        [2500, 'zoom', 2500, 4000, 6000],
        [3000, 'clip', tee, 3],
      ] satisfies Action[],
    }
    expect(stateAt(its, 999)).toMatchObject({ playing: true, rate: 1, frame: 7, since: 0 })
    expect(stateAt(its, 1000)).toMatchObject({ playing: true, rate: 0.5, frame: 7 })
    expect(stateAt(its, 2499)).toMatchObject({ playing: false, frame: 40, since: 2000, view: whole })
    expect(stateAt(its, 2999).view).toEqual({ scale: 2.5, x: 0.4, y: 0.6 })
    expect(stateAt(its, 3000)).toMatchObject({ video: tee, frame: 3, view: whole })
  })
})

describe('a drawing', () => {
  const [pen, arrow] = drawings as [Shape, Shape]
  test('comes point by point, and an arrow grows towards its head', () => {
    expect(grown(pen, [100, 200], -1)).toBeNull()
    expect(grown(pen, [100, 200], 0)!.p).toEqual([100, 100])
    expect(grown(pen, [100, 200], 99)!.p).toEqual([100, 100])
    expect(grown(pen, [100, 200], 100)!.p).toEqual([100, 100, 40, 60])
    expect(grown(pen, [100, 200], 300)).toBe(pen)
    expect(grown(arrow, [200], 100)!.p).toEqual([100, 100, 200, 150])
    expect(grown(arrow, [200], 200)).toBe(arrow)
  })
  test('is on the clip that was shown, until it is taken back', () => {
    const its = { video: swing, frame: 0, shapes: drawings, actions: [] as Action[] }
    its.actions = [
      [10, 'stroke', pen.id, 5, 5],
      [50, 'clip', tee, 0],
      [60, 'stroke', arrow.id, 5],
      [90, 'clip', swing, 0],
      [120, 'erase', pen.id],
    ]
    const ids = (ms: number) => shapesAt(its, stateAt(its, ms), ms).map(s => s.id)
    expect([9, 10, 55, 65, 95, 120].map(ids)).toEqual([[], [pen.id], [], [arrow.id], [pen.id], []])
  })
})

/** A stage of two clips with 30 frames a second, where a second of the clock is told by hand. */
function stage() {
  let clock = 0
  let seconds = 0.5 / 30
  let factor = 1
  let clip = ''
  const [$frame, $playing, $speed, $view] = [atom(0), atom(false), atom(1), atom(whole)]
  const $loop = atom<unknown>(null)
  const place = (frame: number) => {
    seconds = (frame + 0.5) / 30
    $frame.set(frame)
  }
  const player = {
    ...{ $frame, $playing, $speed, $loop, $status: atom('ready') },
    showFrame: (frame: number) => place(Math.max(0, Math.min(1799, frame))),
    play: () => $playing.set(true),
    pause: () => $playing.set(false),
    setSpeed: (rate: number) => $speed.set(rate),
    currentSeconds: () => seconds,
    frameStart: (frame: number) => Math.min(1799, frame) / 30,
    frameAt: (at: number) => Math.max(0, Math.min(1799, Math.floor(at * 30 + 1e-6))),
    lastFrame: () => 1799,
    adjustRate: (by: number) => {
      factor = by
    },
  }
  const leader = createLeader(
    player,
    $view,
    (video, to) => {
      clip = video
      $playing.set(to.play)
      place(to.frame)
    },
    () => clock,
  )
  return {
    leader,
    $playing,
    $loop,
    /** Time passes, and the video with it. */
    pass(ms: number) {
      clock += ms
      if (!$playing.get()) return
      seconds = Math.min(1799.5 / 30, seconds + (ms / 1000) * $speed.get() * factor)
      $frame.set(Math.floor(seconds * 30))
    },
    seen: () => ({ clip, playing: $playing.get(), rate: $speed.get(), view: $view.get() }),
    frame: () => $frame.get(),
    seconds: () => seconds,
  }
}

describe('a stage that a voice leads', () => {
  const STEP = 16
  const runs = (its: Pick<Voice, 'video' | 'frame' | 'actions'>, from: number, to: number) => {
    const s = stage()
    for (let ms = from; ms < to; ms += STEP) {
      s.leader.sync(its, ms, true)
      s.pass(STEP)
    }
    s.leader.sync(its, to, true)
    return s
  }

  test('shows the same wherever one joins', () => {
    fc.assert(
      fc.property(voice, fc.integer({ min: 1000, max: 4000 }), fc.integer({ min: 0, max: 3999 }), (its, end, join) => {
        // All of it within a few seconds.
        const quick = { ...its, actions: its.actions.map(([ms, ...rest]) => [Math.round(ms / 15), ...rest] as Action) }
        const [whole, part] = [runs(quick, 0, end), runs(quick, Math.min(join, end), end)]
        expect(part.seen()).toEqual(whole.seen())
        if (!whole.$playing.get()) expect(part.frame()).toBe(whole.frame())
      }),
      { numRuns: 60 },
    )
  })
  test('stands on the frame of that moment where the voice stands, whatever it showed before', () => {
    fc.assert(
      fc.property(voice, fc.array(at, { minLength: 1, maxLength: 6 }), (its, moments) => {
        const s = stage()
        for (const ms of moments) s.leader.sync(its, ms, false)
        const fresh = stage()
        fresh.leader.sync(its, moments.at(-1)!, false)
        expect([s.seen(), s.frame()]).toEqual([fresh.seen(), fresh.frame()])
        expect(s.leader.settled(its, moments.at(-1)!)).toBe(true)
      }),
    )
  })
  test('plays no part again and again that was left to it', () => {
    const s = stage()
    s.$loop.set({ from: 3, to: 9 })
    s.leader.sync({ video: swing, frame: 30, actions: [] }, 0, false)
    expect([s.$loop.get(), s.frame()]).toEqual([null, 30])
  })
  test('is never far from what was seen while it plays, though it was late and the tab slept', () => {
    const its = { video: swing, frame: 30, actions: [[0, 'rate', 0.5] as Action, [100, 'play', 30] as Action] }
    const s = stage()
    for (let ms = 0; ms < 8000; ms += STEP) {
      // Nobody looks for a second.
      if (ms < 3000 || ms > 4000) s.leader.sync(its, ms, true)
      // For two seconds the machine is too slow.
      s.pass(ms > 5000 && ms < 7000 ? STEP * 0.9 : STEP)
      if (ms > 1000) expect(Math.abs(s.seconds() - (1 + ((ms + STEP - 100) / 1000) * 0.5))).toBeLessThan(0.1)
    }
  })
})
