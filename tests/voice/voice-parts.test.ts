import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Shape, VoiceAction } from '../../modules/reviews/contract.ts'
import { uuidSchema } from '../../modules/uuid-validation.ts'
import { sceneAt } from '../../src/voice/replayed-scene.ts'
import {
  drawingsOfPart,
  extractVoicePartActionsAndDrawings,
  findVoiceParts,
  frameShownAt,
  mergeWithNextVoicePart,
  splitVoicePartAt,
} from '../../src/voice/voice-parts.ts'

const [swing, tee] = ['018f0000-0000-7000-8000-000000000001', '018f0000-0000-7000-8000-000000000002']
const shape = (id: string, from: number): Shape => ({ id, tool: 'line', color: 0, width: 45, p: [0, 0, 100, 100], from, hold: 1, fade: 0 })
const voiceWith = (actions: VoiceAction[], milliseconds = 20_000, shapes: Shape[] = []) => ({
  video: swing,
  frame: 0,
  milliseconds,
  actions,
  shapes,
})
const partsOf = (voice: ReturnType<typeof voiceWith>) => findVoiceParts(voice).map(({ from, to, frame }) => [from, to, frame])

test('each stop of the video becomes a separate part of the voice-over', () => {
  const voice = voiceWith([
    [0, 'play', 0],
    [2000, 'pause', 60],
    [6000, 'play', 60],
    [7500, 'pause', 105],
    [12_000, 'play', 105],
  ])
  expect(partsOf(voice)).toEqual([
    [0, 7500, 60],
    [7500, 20_000, 105],
  ])
})

test('long speech before the first stop becomes a separate part', () => {
  const voice = voiceWith([
    [0, 'play', 0],
    [8000, 'pause', 240],
  ])
  expect(partsOf(voice)).toEqual([
    [0, 8000, 0],
    [8000, 20_000, 240],
  ])
})

test('a short stop without a drawing does not begin a part', () => {
  const voice = voiceWith([
    [0, 'play', 0],
    [2000, 'pause', 60],
    [2600, 'play', 60],
    [9000, 'pause', 200],
  ])
  expect(partsOf(voice)).toEqual([
    [0, 9000, 0],
    [9000, 20_000, 200],
  ])
})

test('the frame of a stop is the one shown longest, or each frame that was drawn on', () => {
  const stepped: VoiceAction[] = [
    [0, 'play', 0],
    [2000, 'pause', 60],
    [2500, 'seek', 59],
    [3000, 'seek', 58],
  ]
  expect(partsOf(voiceWith(stepped))).toEqual([[0, 20_000, 58]])
  const drawn: VoiceAction[] = [...stepped, [5000, 'stroke', 'a', 300], [9000, 'seek', 70], [9500, 'stroke', 'b', 300]]
  expect(partsOf(voiceWith(drawn, 20_000, [shape('a', 58), shape('b', 70)]))).toEqual([
    [0, 9000, 58],
    [9000, 20_000, 70],
  ])
})

test('switching to another clip begins a new part', () => {
  const voice = voiceWith([
    [4000, 'clip', tee, 12],
    [9000, 'seek', 20],
  ])
  expect(findVoiceParts(voice).map(p => [p.video, p.frame])).toEqual([
    [swing, 0],
    [tee, 20],
  ])
})

test('merging and splitting parts loses nothing of the recording', () => {
  const voice = voiceWith([
    [0, 'play', 0],
    [2000, 'pause', 60],
    [6000, 'play', 60],
    [8000, 'at', 120],
    [9000, 'pause', 150],
  ])
  const parts = findVoiceParts(voice)
  expect(parts).toHaveLength(2)
  expect(mergeWithNextVoicePart(parts, 0)).toEqual([{ ...parts[0]!, to: 20_000 }])
  const split = splitVoicePartAt(voice, parts, 7000)
  expect(split.map(p => [p.from, p.to, p.frame])).toEqual([
    [0, 7000, 60],
    [7000, 9000, 90],
    [9000, 20_000, 150],
  ])
  expect(splitVoicePartAt(voice, parts, 9100)).toEqual(parts)
  expect(frameShownAt(voice, 8500)).toBe(135)
})

test('a cut part starts with the speed and the drawings at that time', () => {
  const voice = voiceWith(
    [
      [0, 'rate', 0.5],
      [1000, 'stroke', 'a', 400],
      [3000, 'stroke', 'b', 200],
      [5000, 'erase', 'a'],
      [6000, 'play', 0],
    ],
    10_000,
    [shape('a', 0), shape('b', 0)],
  )
  const cut = extractVoicePartActionsAndDrawings(voice, { from: 2000, to: 5500 })
  const [a, b] = cut.shapes!.map(s => s.id) as [string, string]
  expect(cut).toEqual({
    video: swing,
    frame: 0,
    milliseconds: 3500,
    shapes: [shape(a, 0), shape(b, 0)],
    actions: [
      [0, 'rate', 0.5],
      [0, 'stroke', a, 0],
      [1000, 'stroke', b, 200],
      [3000, 'erase', a],
    ],
  })
  expect(drawingsOfPart(voice, { from: 0, to: 4000, video: swing, frame: 0 }).map(s => s.id)).toEqual(['a', 'b'])
  expect(drawingsOfPart(voice, { from: 0, to: 6000, video: swing, frame: 0 }).map(s => s.id)).toEqual(['b'])
  expect(drawingsOfPart(voice, { from: 2000, to: 4000, video: swing, frame: 9 })).toEqual([])
})

test('no two parts have a drawing with the same id', () => {
  const voice = voiceWith([[1000, 'stroke', 'a', 400]], 10_000, [shape('a', 0)])
  const cuts = [0, 3000, 6000].map(from => extractVoicePartActionsAndDrawings(voice, { from, to: from + 3000 }))
  const ids = [voice, ...cuts].flatMap(v => v.shapes!.map(s => s.id))
  expect(new Set(ids).size).toBe(4)
  expect(ids.slice(1).every(id => uuidSchema.safeParse(id).success)).toBe(true)
})

const action: fc.Arbitrary<VoiceAction> = fc.oneof(
  fc.tuple(fc.nat(30_000), fc.constantFrom('play' as const, 'pause' as const, 'seek' as const, 'at' as const), fc.nat(900)),
  fc.tuple(fc.nat(30_000), fc.constant('clip' as const), fc.constantFrom(swing, tee), fc.nat(900)),
  fc.tuple(fc.nat(30_000), fc.constant('stroke' as const), fc.constantFrom('a', 'b'), fc.nat(500)),
)
const anyVoice = fc.array(action, { maxLength: 30 }).map(actions =>
  voiceWith(
    actions.sort(([a], [b]) => a - b),
    30_000,
    [shape('a', 3), shape('b', 4)],
  ),
)

test('parts cover the whole recording without gaps or overlap', () => {
  fc.assert(
    fc.property(anyVoice, voice => {
      const parts = findVoiceParts(voice)
      expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([0, 30_000])
      for (const [i, part] of parts.entries()) {
        expect(part.to).toBeGreaterThan(part.from)
        if (i) expect(part.from).toBe(parts[i - 1]!.to)
      }
    }),
  )
})

test('a part shows the same as the whole recording at the same moment', () => {
  fc.assert(
    fc.property(anyVoice, fc.nat(29_000), fc.integer({ min: 100, max: 1000 }), (voice, from, length) => {
      const cut = extractVoicePartActionsAndDrawings(voice, { from, to: from + length })
      const [whole, part] = [sceneAt(voice, from + length - 1), sceneAt(cut, length - 1)]
      expect([part.video, part.playing, part.rate]).toEqual([whole.video, whole.playing, whole.rate])
      // The drawings of a part have new ids, so they are compared by their frames.
      const on = (scene: typeof whole, { shapes = [] }: { shapes?: Shape[] }) =>
        scene.strokes.filter(s => s.video === scene.video).map(({ shape: id }) => shapes.find(s => s.id === id)!.from)
      if (sceneAt(voice, from - 1).video === whole.video) expect(on(part, cut)).toEqual(on(whole, voice))
    }),
  )
})
