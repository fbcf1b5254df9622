import { expect, it } from 'vitest'
import type { Draft } from '../../modules/folders/contract.ts'
import { MAX_SHAPES_PER_REVIEW } from '../../modules/reviews/policy.ts'
import { reviewShapeLimitMessage } from '../../src/drawing/review-shape-limit.ts'

const shapes = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ id: `${i}`, tool: 'pen' as const, color: 0, width: 9, p: [1, 1], from: 0, hold: 1, fade: 0 }))
const side = { folder: 'f', video: 'v', origin: 0, offset: 0, scale: 1 }
const draft = (onNote: number, spoken: number, compared: number): Draft => ({
  summary: '',
  grades: [],
  notes: [{ id: 'n', video: 'v', at: 0, kind: 'tip', text: '', shapes: shapes(onNote) }],
  voices: [{ id: 'a', video: 'v', frame: 0, milliseconds: 1, bytes: 1, type: 'audio/webm', actions: [], shapes: shapes(spoken) }],
  comparisons: [{ id: 'c', title: '', mode: 'side', stretch: false, sides: [side, { ...side, shapes: shapes(compared) }] }],
})

it('the limit counts drawings of notes, voice-overs and comparisons together', () => {
  const third = Math.floor(MAX_SHAPES_PER_REVIEW / 3)
  expect(reviewShapeLimitMessage(draft(third, third, third))).toBeUndefined()
  expect(reviewShapeLimitMessage(draft(third, third, MAX_SHAPES_PER_REVIEW - 2 * third))).toBe('A review has at most 200 drawings.')
  expect(reviewShapeLimitMessage(draft(third, third, third), MAX_SHAPES_PER_REVIEW - 3 * third)).toBe('A review has at most 200 drawings.')
  expect(reviewShapeLimitMessage({ notes: [], summary: '', grades: [] })).toBeUndefined()
})
