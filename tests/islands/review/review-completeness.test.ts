import { expect, it } from 'vitest'
import type { Draft, Video } from '../../../modules/folders/contract.ts'
import { describeReviewContents, findMissingReviewParts, textLimitMessage } from '../../../src/islands/review/review-completeness.ts'

const clips = [{ id: 'v' }, { id: 'w' }]
const note = (id: string, text: string, more: object = {}) => ({ id, video: 'v', at: 0, kind: 'tip' as const, text, ...more })
const line = { id: 's', tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from: 0, hold: 1, fade: 0 }
const whole: Draft = {
  notes: [note('1', 'ok', { shapes: [line] })],
  summary: 'Good',
  grades: [{ skill: 'hitting', grade: 50 }],
  goals: [{ id: 'g', text: 'Knee', state: 'given' }],
}
const missingIn = (more: Partial<Draft>, opened = ['v', 'w']) =>
  findMissingReviewParts({ ...whole, ...more }, clips, opened).map(m => [m.is, m.place])

it('a complete review has no missing parts', () => {
  expect(missingIn({})).toEqual([])
})
it('a review needs a summary, and text in every note', () => {
  expect(missingIn({ notes: [...whole.notes, note('2', '  ')], summary: ' ' })).toEqual([
    ['needed', 'summary'],
    ['needed', '2'],
  ])
})
it('a note with a drawing or a voice-over needs no text', () => {
  const notes = [note('1', '', { shapes: [line] }), note('3', '', { shapes: [] }), note('4', '', { voice: 'a' })]
  expect(missingIn({ notes })).toEqual([['needed', '3']])
})
it('each video is expected to be opened or to have a note', () => {
  expect(missingIn({}, ['v'])).toEqual([['expected', 'w']])
  expect(missingIn({}, ['w'])).toEqual([])
  expect(findMissingReviewParts(whole, clips, [])[0]!.text).toBe('You have not opened video 2 yet.')
})
it('a review waits for a video that can be watched', () => {
  const clip = (id: string, state: 'waiting' | 'preparing' | 'ready' | 'refused') =>
    ({ id, rendition: { state, unseen: state === 'refused' } }) as unknown as Video
  const missing = (...of: Video[]) => findMissingReviewParts(whole, of, ['v', 'w']).map(m => [m.is, m.text])
  expect(missing(clip('v', 'waiting'))).toEqual([['needed', 'The video is still being prepared. You can deliver once you can watch it.']])
  expect(missing(clip('v', 'preparing'), clip('w', 'waiting'))).toEqual([
    ['needed', 'The videos are still being prepared. You can deliver once you can watch one.'],
  ])
  expect(missing(clip('v', 'refused'), clip('w', 'waiting'))[0]![0]).toBe('needed')
  expect(missing(clip('v', 'ready'), clip('w', 'preparing'))).toEqual([
    ['expected', 'Video 2 is still being prepared. If you deliver now, nothing is charged for it.'],
  ])
  expect(missing(clip('v', 'ready'), clip('w', 'refused'))).toEqual([])
})
it('at least one drawing or voice-over is expected in the review', () => {
  expect(missingIn({ notes: [] })).toEqual([['expected', 'picture']])
  expect(missingIn({ notes: [note('1', 'ok', { voice: 'a' })] })).toEqual([])
  const voice = { id: 'a', video: 'v', frame: 0, milliseconds: 900, bytes: 9, type: 'audio/webm' as const, actions: [] }
  expect(missingIn({ notes: [], voices: [voice] })).toEqual([])
  const side = { folder: 'f', video: 'v', origin: 0, offset: 0, scale: 1 }
  const missingWithDrawings = (shapes: [typeof line] | []) =>
    missingIn({ notes: [], comparisons: [{ id: 'c', title: '', mode: 'side', stretch: false, sides: [side, { ...side, shapes }] }] })
  expect(missingWithDrawings([line])).toEqual([])
  expect(missingWithDrawings([])).toEqual([['expected', 'picture']])
})
it('a goal is expected, and grades are only suggested', () => {
  expect(missingIn({ goals: [{ id: 'g', text: ' ', state: 'given' }], grades: [] })).toEqual([
    ['expected', 'goals'],
    ['welcome', 'grades'],
  ])
})
it('a contact position proposed by sound is listed until confirmed', () => {
  const contact = { video: 'v', skill: 'hitting' as const, name: 'contact', frame: 9 }
  expect(missingIn({ checkpoints: [{ ...contact, by: 'sound' }] })).toEqual([['welcome', 'technique']])
  expect(missingIn({ checkpoints: [{ ...contact, by: 'hand' }] })).toEqual([])
})
it('textLimitMessage returns a message for text that has reached its limit', () => {
  expect(textLimitMessage('x'.repeat(3999))).toBeUndefined()
  expect(textLimitMessage('x'.repeat(4000))).toContain('4000 characters')
})

it('describeReviewContents lists only what the review contains', () => {
  expect(describeReviewContents(whole)).toBe('1 note, 1 drawing, 1 goal, 1 grade and your summary')
  const by = (kind: 'hand' | 'sound') => ({ skill: 'hitting' as const, name: 'load', video: 'v', frame: 1, by: kind })
  const draft = { ...whole, notes: [note('1', 'ok'), note('2', 'ok')], checkpoints: [by('hand'), by('hand'), by('sound')], goals: [] }
  expect(describeReviewContents({ ...draft, grades: [] } as Draft)).toBe('2 notes, 2 positions and your summary')
  expect(describeReviewContents({ notes: [], summary: 'Good', grades: [] })).toBe('Your summary')
})
