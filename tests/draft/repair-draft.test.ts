import { expect, test } from 'vitest'
import { Draft } from '../../modules/folders/contract.ts'
import { assertReviewValid } from '../../modules/reviews/assert-review-valid.ts'
import { repairDraft } from '../../src/draft/repair-draft.ts'
import { sceneAt, shapesOfScene } from '../../src/voice/replayed-scene.ts'

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const swing = id(1)
const line = (n: number) => ({ id: id(n), tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from: 10, hold: 1, fade: 0 })
const voice = (n: number, ...drawings: number[]) => ({
  id: id(n),
  video: swing,
  frame: 10,
  milliseconds: 4000,
  bytes: 9000,
  type: 'audio/mp4' as const,
  actions: [
    ...drawings.map((of, i): [number, 'stroke', string, number] => [i * 100, 'stroke', id(of), 0]),
    [1000, 'erase', id(drawings[0]!)] as [number, 'erase', string],
  ],
  shapes: drawings.map(line),
})
const note = (n: number, more: object = {}) => ({ id: id(n), video: swing, at: 0, frame: 10, kind: 'tip' as const, text: 'Hands', ...more })
const draftWith = (more: Partial<Draft>) => Draft.parse({ notes: [], summary: 'Good.', grades: [], ...more })

const split = draftWith({
  notes: [note(10, { voice: id(30), shapes: [line(20)] }), note(11, { voice: id(31) }), note(12, { voice: id(32) })],
  voices: [voice(30, 21), voice(31, 21, 22), voice(32, 20, 21, 22)],
})
const assertDeliverable = (draft: Draft) => assertReviewValid([{ id: swing }], draft)

test('voice-overs that repeat the drawing ids of others become deliverable', () => {
  expect(() => assertDeliverable(split)).toThrow('twice')
  const repaired = repairDraft(split)
  expect(() => assertDeliverable(Draft.parse(repaired))).not.toThrow()
  expect(repaired.notes).toEqual(split.notes)
  expect(repaired.voices![0]).toBe(split.voices![0])
  // Each of the others still draws and erases the same.
  for (const [i, spoken] of repaired.voices!.entries()) {
    for (const ms of [150, 999, 4000]) {
      const shown = (of: typeof spoken) => shapesOfScene(of, sceneAt(of, ms), ms).map(({ id: _, ...rest }) => rest)
      expect(shown(spoken)).toEqual(shown(split.voices![i]!))
    }
  }
  expect(repairDraft(repaired)).toEqual(repaired)
})

test('a note whose voice-over no longer exists keeps the rest of its content', () => {
  const broken = draftWith({
    notes: [note(10, { voice: id(39), shapes: [line(20)] }), note(11, { voice: id(30) })],
    voices: [voice(30, 21)],
  })
  expect(() => assertDeliverable(broken)).toThrow('missing')
  const repaired = repairDraft(broken)
  expect(repaired).toEqual({ ...broken, notes: [note(10, { shapes: [line(20)] }), broken.notes[1]] })
  expect(() => assertDeliverable(repaired)).not.toThrow()
  expect(repairDraft(draftWith({ notes: [note(10, { voice: id(39) })] }))).toEqual(draftWith({ notes: [note(10)] }))
})

test('a draft without faults stays as it is', () => {
  const sound = draftWith({ notes: [note(10, { voice: id(30), shapes: [line(20)] })], voices: [voice(30, 21)] })
  expect(repairDraft(sound)).toEqual(sound)
  expect(repairDraft(draftWith({ notes: [note(10)] }))).toEqual(draftWith({ notes: [note(10)] }))
})
