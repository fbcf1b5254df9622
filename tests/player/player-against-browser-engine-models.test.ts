import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isFrameProven } from '../../src/player/player-state-and-selectors.ts'
import {
  createEngineModel,
  ENGINE_MODEL_NAMES,
  type EngineModelName,
  PlayerOnEngineModel,
  type SeekPictureTiming,
} from './browser-engine-models.ts'

const anyFrame = fc.integer({ min: 0, max: 200 })
const arrivals = fc.constantFrom<SeekPictureTiming>('before', 'after', 'late', 'never')

/** One thing that a viewer, the browser or the server can do. */
const anyAct = fc.oneof(
  fc.record({ act: fc.constant('showFrame' as const), frame: anyFrame }),
  fc.record({ act: fc.constant('moveBy' as const), frames: fc.integer({ min: -2, max: 2 }) }),
  fc.record({ act: fc.constant('goTo' as const), frame: anyFrame, play: fc.boolean() }),
  fc.record({ act: fc.constantFrom('play' as const, 'pause' as const, 'toggle' as const, 'widthChanged' as const, 'retry' as const) }),
  fc.record({ act: fc.constant('setLoop' as const), loop: fc.option(fc.record({ from: anyFrame, to: anyFrame })) }),
  { weight: 4, arbitrary: fc.record({ act: fc.constant('deliver' as const) }) },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('endSeek' as const), picture: arrivals }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('elapse' as const), timer: fc.constantFrom('seekRetry', 'slowSeek') }) },
  fc.record({ act: fc.constant('presentOldPicture' as const) }),
  { weight: 2, arbitrary: fc.record({ act: fc.constant('playOn' as const), frames: fc.integer({ min: 1, max: 4 }) }) },
  fc.record({ act: fc.constant('fail' as const) }),
)
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never

function perform(run: PlayerOnEngineModel, act: Act) {
  switch (act.act) {
    case 'showFrame':
      return run.send({ type: 'showFrame', frame: act.frame })
    case 'moveBy':
      return run.send({ type: 'moveBy', frames: act.frames })
    case 'goTo':
      return run.send({ type: 'goTo', target: { frame: act.frame, play: act.play } })
    case 'setLoop':
      return run.send({ type: 'setLoop', loop: act.loop })
    case 'deliver':
      return run.deliver()
    case 'endSeek':
      return run.endSeek(act.picture)
    case 'elapse':
      return run.elapse(act.timer)
    case 'presentOldPicture':
      return run.presentOldPicture()
    case 'playOn':
      return run.playOn(act.frames)
    case 'fail':
      return run.fail()
    default:
      return run.send({ type: act.act })
  }
}

const anyRuns = fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 5, max: 100 })), { minLength: 1, maxLength: 5 })
const anyEngine = (name: EngineModelName) =>
  fc.tuple(anyRuns, fc.boolean(), fc.constantFrom('mean', 'tick', 'own')).map(given => createEngineModel(name, ...given))
const anyActs = fc.array(anyAct, { minLength: 1, maxLength: 80, size: 'large' })

test.each(ENGINE_MODEL_NAMES)('no frame is confirmed with a wrong number in the model of %s', name => {
  let confirmations = 0
  fc.assert(
    fc.property(anyEngine(name), anyActs, (engine, acts) => {
      const run = new PlayerOnEngineModel(engine)
      for (const act of [{ act: 'showFrame', frame: 3 } as const, ...acts]) {
        if (!engine.presentsSuperseded) run.deliverReports()
        perform(run, act)
        // A picture is on the screen a moment before the browser reports it.
        if (!isFrameProven(run.state) || !run.areReportsDelivered()) continue
        confirmations++
        expect(run.screen).toBe(run.state.position.frame)
      }
    }),
    { numRuns: 1500 },
  )
  expect(confirmations).toBeGreaterThan(100)
})

test.each(ENGINE_MODEL_NAMES)('the player comes to rest after any sequence of actions in the model of %s', name => {
  fc.assert(
    fc.property(anyEngine(name), anyActs, anyFrame, (engine, acts, frame) => {
      const run = new PlayerOnEngineModel(engine)
      for (const act of acts) perform(run, act)
      // A loop may have started over after the first pause, so the test pauses twice.
      for (let i = 0; i < 2; i++) {
        run.send({ type: 'pause' })
        run.settle()
      }
      run.send({ type: 'showFrame', frame })
      expect(run.settle()).toBe(true)
      const { media, position } = run.state
      if (media.status !== 'ready') return
      expect(media.seek.kind).toBe('idle')
      expect(position.frame).toBe(engine.times.clamp(frame))
      // If a picture is reported after every seek, Chromium's times prove all frames, and Firefox's and WebKit's all frames of a rendition.
      if (engine.repeatsReports && (name === 'chromium original' || (engine.isRendition && name !== 'gstreamer')))
        expect([isFrameProven(run.state), run.screen]).toEqual([true, position.frame])
    }),
    { numRuns: 500 },
  )
})

test('`goTo` with `play` during a seek starts playing at the target frame', () => {
  const run = new PlayerOnEngineModel(createEngineModel('chromium', [[60, 33]], true, 'own'))
  run.send({ type: 'showFrame', frame: 3 })
  run.send({ type: 'goTo', target: { frame: 10, play: true } })
  run.settle()
  expect(run.screen).toBe(10)
})

test('a picture from playback does not lower the frame length that GStreamer guesses', () => {
  const run = new PlayerOnEngineModel(
    createEngineModel(
      'gstreamer',
      [
        [4, 9],
        [2, 5],
      ],
      false,
      'mean',
    ),
  )
  run.send({ type: 'showFrame', frame: 3 })
  run.endSeek('late')
  run.deliverReports()
  run.send({ type: 'goTo', target: { frame: 0, play: true } })
  run.playOn(4)
  run.deliverReports()
  run.endSeek('before')
  run.send({ type: 'showFrame', frame: 5 })
  run.deliver()
  run.endSeek('after')
  run.deliver()
  run.deliver()
  run.send({ type: 'moveBy', frames: 0 })
  run.deliver()
  expect(isFrameProven(run.state) ? run.screen : 5).toBe(5)
})

test('a picture that arrives while the clip loads again ends the proof of a frame', () => {
  const run = new PlayerOnEngineModel(createEngineModel('gstreamer', [[2, 5]], false, 'tick'))
  run.send({ type: 'showFrame', frame: 1 })
  run.fail()
  run.deliver()
  run.deliver()
  run.send({ type: 'moveBy', frames: -1 })
  run.deliver()
  run.deliver()
  run.endSeek('before')
  run.deliver()
  run.send({ type: 'retry' })
  run.deliverReports()
  expect(isFrameProven(run.state) ? run.screen : 0).toBe(0)
})

test('a repaint with GStreamer does not show the frame before a shorter one', () => {
  const run = new PlayerOnEngineModel(
    createEngineModel(
      'gstreamer',
      [
        [7, 27],
        [5, 81],
      ],
      false,
      'mean',
    ),
  )
  run.send({ type: 'showFrame', frame: 3 })
  run.endSeek('before')
  run.deliverReports()
  run.send({ type: 'widthChanged' })
  run.endSeek('before')
  run.deliverReports()
  expect(isFrameProven(run.state) ? run.screen : 3).toBe(3)
})
