import fc from 'fast-check'
import { atom } from 'nanostores'
import { describe, expect, test } from 'vitest'
import { type Shape, type Voice, VoiceAction } from '../../modules/reviews/contract.ts'
import { fullViewport } from '../../src/drawing/viewport.ts'
import { createReplaySync } from '../../src/voice/replay-sync.ts'
import { partlyDrawnShape, sceneAt, shapesOfScene } from '../../src/voice/replayed-scene.ts'

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [swing, tee] = [id(1), id(2)]
const LENGTH = 60_000
const drawings: Shape[] = [11, 12, 13].map(n => ({
  id: id(n),
  tool: n === 12 ? 'arrow' : 'pen',
  color: 0,
  width: 45,
  p: n === 12 ? [100, 100, 400, 300] : [100, 100, 40, 60, 30, -20],
  from: 0,
  hold: 1,
  fade: 0,
}))

const at = fc.integer({ min: 0, max: LENGTH })
const frame = fc.integer({ min: 0, max: 1800 })
const drawing = fc.constantFrom(...drawings.map(d => d.id))
const action: fc.Arbitrary<VoiceAction> = fc.oneof(
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

test('every action that this test generates is valid in a review', () => {
  fc.assert(
    fc.property(action, recording => {
      expect(VoiceAction.parse(recording)).toEqual(recording)
    }),
  )
})

describe('the scene at a moment', () => {
  test('includes every action up to that moment and none of the later ones', () => {
    fc.assert(
      fc.property(voice, at, (recording, ms) => {
        const until = recording.actions.filter(([t]) => t <= ms)
        expect(sceneAt(recording, ms)).toEqual(sceneAt({ ...recording, actions: until }, LENGTH))
        // The visible drawings, too, depend only on the actions up to that moment.
        expect(shapesOfScene(recording, sceneAt(recording, ms), ms)).toEqual(
          shapesOfScene(recording, sceneAt({ ...recording, actions: until }, LENGTH), ms),
        )
      }),
    )
  })
  test('applies play, rate, clip and zoom actions from their times on', () => {
    const recording = {
      video: swing,
      frame: 7,
      actions: [
        [0, 'play', 7],
        [1000, 'rate', 0.5],
        [2000, 'pause', 40],
        [2500, 'zoom', 2500, 4000, 6000],
        [3000, 'clip', tee, 3],
      ] satisfies VoiceAction[],
    }
    expect(sceneAt(recording, 999)).toMatchObject({ playing: true, rate: 1, frame: 7, since: 0 })
    expect(sceneAt(recording, 1000)).toMatchObject({ playing: true, rate: 0.5, frame: 7 })
    expect(sceneAt(recording, 2499)).toMatchObject({ playing: false, frame: 40, since: 2000, view: fullViewport })
    expect(sceneAt(recording, 2999).view).toEqual({ scale: 2.5, x: 0.4, y: 0.6 })
    expect(sceneAt(recording, 3000)).toMatchObject({ video: tee, frame: 3, view: fullViewport })
  })
})

describe('a drawing made during a recording', () => {
  const [pen, arrow] = drawings as [Shape, Shape]
  test('appears point by point, and an arrow grows toward its head', () => {
    expect(partlyDrawnShape(pen, [100, 200], -1)).toBeNull()
    expect(partlyDrawnShape(pen, [100, 200], 0)!.p).toEqual([100, 100])
    expect(partlyDrawnShape(pen, [100, 200], 99)!.p).toEqual([100, 100])
    expect(partlyDrawnShape(pen, [100, 200], 100)!.p).toEqual([100, 100, 40, 60])
    expect(partlyDrawnShape(pen, [100, 200], 300)).toBe(pen)
    expect(partlyDrawnShape(arrow, [200], 100)!.p).toEqual([100, 100, 200, 150])
    expect(partlyDrawnShape(arrow, [200], 200)).toBe(arrow)
  })
  test('is shown on the clip that it was drawn on until it is erased', () => {
    const recording = { video: swing, frame: 0, shapes: drawings, actions: [] as VoiceAction[] }
    recording.actions = [
      [10, 'stroke', pen.id, 5, 5],
      [50, 'clip', tee, 0],
      [60, 'stroke', arrow.id, 5],
      [90, 'clip', swing, 0],
      [120, 'erase', pen.id],
    ]
    const ids = (ms: number) => shapesOfScene(recording, sceneAt(recording, ms), ms).map(s => s.id)
    expect([9, 10, 55, 65, 95, 120].map(ids)).toEqual([[], [pen.id], [], [arrow.id], [pen.id], []])
  })
})

/** Creates a stage with two clips of 30 frames per second, whose clock only `advanceClock` advances. */
function stage() {
  let clock = 0
  let seconds = 0.5 / 30
  let factor = 1
  let clip = ''
  const [$frame, $playing, $speed, $view] = [atom(0), atom(false), atom(1), atom(fullViewport)]
  const $loop = atom<unknown>(null)
  const place = (frame: number) => {
    seconds = (frame + 0.5) / 30
    $frame.set(frame)
  }
  const player = {
    $frame,
    $playing,
    $speed,
    $loop,
    $status: atom('ready'),
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
  const sync = createReplaySync(
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
    sync,
    $playing,
    $loop,
    /** Advances the clock, and the video if it plays. */
    advanceClock(ms: number) {
      clock += ms
      if (!$playing.get()) return
      seconds = Math.min(1799.5 / 30, seconds + (ms / 1000) * $speed.get() * factor)
      $frame.set(Math.floor(seconds * 30))
    },
    visibleState: () => ({ clip, playing: $playing.get(), rate: $speed.get(), view: $view.get() }),
    frame: () => $frame.get(),
    seconds: () => seconds,
  }
}

describe('a stage that replays a voice-over', () => {
  const STEP = 16
  const replay = (recording: Pick<Voice, 'video' | 'frame' | 'actions'>, from: number, to: number) => {
    const s = stage()
    for (let ms = from; ms < to; ms += STEP) {
      s.sync.sync(recording, ms, true)
      s.advanceClock(STEP)
    }
    s.sync.sync(recording, to, true)
    return s
  }

  test('shows the same state wherever the replay started', () => {
    fc.assert(
      fc.property(voice, fc.integer({ min: 1000, max: 4000 }), fc.integer({ min: 0, max: 3999 }), (recording, end, join) => {
        // The actions are compressed into a few seconds to make the test fast.
        const quick = { ...recording, actions: recording.actions.map(([ms, ...rest]) => [Math.round(ms / 15), ...rest] as VoiceAction) }
        const [whole, part] = [replay(quick, 0, end), replay(quick, Math.min(join, end), end)]
        expect(part.visibleState()).toEqual(whole.visibleState())
        if (!whole.$playing.get()) expect(part.frame()).toBe(whole.frame())
      }),
      { numRuns: 60 },
    )
  })
  test('shows the recorded frame at the position where a voice-over is paused', () => {
    fc.assert(
      fc.property(voice, fc.array(at, { minLength: 1, maxLength: 6 }), (recording, moments) => {
        const s = stage()
        for (const ms of moments) s.sync.sync(recording, ms, false)
        const fresh = stage()
        fresh.sync.sync(recording, moments.at(-1)!, false)
        expect([s.visibleState(), s.frame()]).toEqual([fresh.visibleState(), fresh.frame()])
        expect(s.sync.isSettled(recording, moments.at(-1)!)).toBe(true)
      }),
    )
  })
  test('ends a loop that the viewer had set', () => {
    const s = stage()
    s.$loop.set({ from: 3, to: 9 })
    s.sync.sync({ video: swing, frame: 30, actions: [] }, 0, false)
    expect([s.$loop.get(), s.frame()]).toEqual([null, 30])
  })
  test('is at most 0.1 s off the recording on a slow machine and in a hidden tab', () => {
    const recording = { video: swing, frame: 30, actions: [[0, 'rate', 0.5] as VoiceAction, [100, 'play', 30] as VoiceAction] }
    const s = stage()
    for (let ms = 0; ms < 8000; ms += STEP) {
      // A hidden tab gets no animation frames for a second.
      if (ms < 3000 || ms > 4000) s.sync.sync(recording, ms, true)
      // A slow machine plays the video too slowly for two seconds.
      s.advanceClock(ms > 5000 && ms < 7000 ? STEP * 0.9 : STEP)
      if (ms > 1000) expect(Math.abs(s.seconds() - (1 + ((ms + STEP - 100) / 1000) * 0.5))).toBeLessThan(0.1)
    }
  })
})

test('a drawing with keyframes appears completely when its first point is reached', () => {
  const tracking: Shape = { ...drawings[1]!, keyframes: [{ frame: 9, p: [300, 300, 400, 300] }] }
  expect(partlyDrawnShape(tracking, [500], -1)).toBeNull()
  expect(partlyDrawnShape(tracking, [500], 1)).toBe(tracking)
})
