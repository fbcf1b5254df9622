import fc from 'fast-check'
import { atom } from 'nanostores'
import { describe, expect, test } from 'vitest'
import { type Shape, Voice, type VoiceAction } from '../../modules/reviews/contract.ts'
import { decodePoints, encodePoints } from '../../src/drawing/point-encoding-and-simplification.ts'
import { simplifyStroke } from '../../src/drawing/shape-geometry.ts'
import { fullViewport, type Viewport } from '../../src/drawing/viewport.ts'
import { createActionTrack, limitVoiceActions, timesOfSimplifiedStrokePoints } from '../../src/voice/collect-and-limit-voice-actions.ts'
import { sceneAt } from '../../src/voice/replayed-scene.ts'
import { createStageActionRecorder } from '../../src/voice/stage-action-recorder.ts'

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const begin = { video: id(1), frame: 12, playing: false, rate: 1, view: fullViewport }

describe('the list of recorded actions', () => {
  test('merges the frames of a drag, and keeps its last frame', () => {
    const track = createActionTrack(begin)
    for (let ms = 0; ms <= 990; ms += 8) track.frameShown(ms, ms, ms * 33)
    track.frameShown(1000, 1000, 33_000)
    const seeks = track.actions()
    expect(seeks.length).toBeLessThan(40)
    expect(seeks.at(-1)).toEqual([1000, 'seek', 1000])
    for (const [i, [ms]] of seeks.entries()) if (i) expect(ms - seeks[i - 1]![0]).toBeLessThanOrEqual(50)
  })
  test('has the frame every half second while playing, and each jump immediately', () => {
    const track = createActionTrack(begin)
    track.play(100, 12)
    for (let ms = 140; ms <= 2140; ms += 40) track.frameShown(ms, 12 + Math.round((ms - 100) / 33), 400 + ms)
    track.frameShown(2160, 300, 10_000)
    track.frameShown(2200, 301, 10_040)
    track.pause(2210, 302)
    const kinds = track.actions().map(([, what]) => what)
    expect(kinds).toEqual(['play', 'at', 'at', 'at', 'at', 'seek', 'pause'])
  })
  test('begins with the speed, zoom and playback of the stage', () => {
    const track = createActionTrack({ ...begin, playing: true, rate: 0.25, view: { scale: 2, x: 0.25, y: 0.75 } })
    expect(track.actions()).toEqual([
      [0, 'rate', 0.25],
      [0, 'zoom', 2000, 2500, 7500],
      [0, 'play', 12],
    ])
  })
  test('omits intermediate steps if there are too many, but keeps the last one', () => {
    const many: VoiceAction[] = Array.from({ length: 5000 }, (_, i) => [i, 'seek', i])
    const all: VoiceAction[] = [...many, [5001, 'erase', id(3)], [5002, 'seek', 9]]
    const few = limitVoiceActions(all, 2000)
    expect(few.length).toBeLessThanOrEqual(2000)
    expect(few.slice(-3)).toEqual([[4999, 'seek', 4999], ...all.slice(-2)])
    expect(limitVoiceActions(all.slice(0, 1500), 2000)).toEqual(all.slice(0, 1500))
  })
})

test('each point of a simplified stroke has the time at which it was drawn', () => {
  const coordinate = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(fc.array(fc.record({ x: coordinate, y: coordinate }), { minLength: 2, maxLength: 60 }), points => {
      const timedPoints = points.map((point, i) => ({ point, ms: 100 + i * 7 }))
      const shape: Shape = {
        id: id(5),
        tool: 'pen',
        color: 0,
        width: 45,
        from: 0,
        hold: 1,
        fade: 0,
        ...simplifyStroke(points, undefined, 16 / 9),
      }
      const times = timesOfSimplifiedStrokePoints(shape, timedPoints)
      expect(times).toEqual([...times].sort((a, b) => a - b))
      expect([times[0], times.length]).toEqual([100, decodePoints(shape.p).length])
      for (const [i, point] of decodePoints(shape.p).entries()) {
        const same = timedPoints.filter(w => w.point.x === point.x && w.point.y === point.y)
        expect(same.map(w => w.ms)).toContain(times[i])
      }
    }),
  )
})

describe('the actions of a stage recorder', () => {
  const stage = () => {
    let ms = 0
    const parts = {
      player: { $frame: atom(12), $time: atom(400), $playing: atom(false), $speed: atom(1) },
      $view: atom<Viewport>(fullViewport),
      $clip: atom(id(1)),
      shapeEditor: { $activeShape: atom<Shape | null>(null) },
    }
    return { ...parts, pass: (by: number) => (ms += by), recorder: createStageActionRecorder(parts, () => ms) }
  }
  const pen = (n: number, ...points: [number, number][]): Shape => ({
    id: id(n),
    tool: 'pen',
    color: 0,
    width: 45,
    from: 12,
    hold: 1,
    fade: 0,
    p: encodePoints(points.map(([x, y]) => ({ x, y }))),
  })

  test('contain drawings with their times, erasures, clip switches and speeds', () => {
    const s = stage()
    s.pass(1000)
    s.shapeEditor.$activeShape.set(pen(20, [100, 100]))
    s.pass(50)
    s.shapeEditor.$activeShape.set(pen(20, [100, 100], [200, 300]))
    s.pass(70)
    s.shapeEditor.$activeShape.set(pen(20, [100, 100], [200, 300], [900, 100]))
    s.pass(500)
    s.shapeEditor.$activeShape.set(null)
    s.recorder.add(pen(20, [100, 100], [200, 300], [900, 100]))
    s.pass(380)
    s.recorder.undo()
    s.pass(1000)
    s.$clip.set(id(2))
    s.pass(100)
    s.player.$speed.set(0.5)
    const actions = s.recorder.track.actions()
    expect(actions).toEqual([
      [1000, 'stroke', id(20), 50, 70],
      [2000, 'erase', id(20)],
      [3000, 'clip', id(2), 12],
      [3100, 'rate', 0.5],
    ])
    // A replay shows an erased drawing until the moment it was erased.
    expect([s.recorder.shapes().map(x => x.id), s.recorder.shapesOn(id(1))]).toEqual([[id(20)], []])
    const voice = {
      id: id(9),
      video: id(1),
      frame: 12,
      milliseconds: 4000,
      bytes: 9,
      type: 'audio/webm',
      actions,
      shapes: s.recorder.shapes(),
    }
    expect(Voice.parse(voice)).toEqual(voice)
    expect(sceneAt(Voice.parse(voice), 1999).strokes).toHaveLength(1)
    s.recorder.stop()
    s.player.$speed.set(2)
    expect(s.recorder.track.actions()).toHaveLength(4)
  })
})
