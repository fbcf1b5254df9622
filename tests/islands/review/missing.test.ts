import { expect, it } from 'vitest'
import { full, missing } from '../../../src/islands/review/missing.ts'

const note = (id: string, text: string) => ({ id, video: 'v', at: 0, kind: 'tip' as const, text })

it('needs a summary and words in every note', () => {
  const needed = missing({ notes: [note('1', 'ok'), note('2', '  ')], summary: ' ', grades: [] }).filter(m => m.needed)
  expect(needed).toHaveLength(2)
  expect(needed[1]).toMatchObject({ place: '2' })
})
it('needs no words where a drawing says it', () => {
  const line = { id: 's', tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from: 0, hold: 1, fade: 0 }
  const notes = [
    { ...note('1', ''), shapes: [line] },
    { ...note('3', ''), shapes: [] },
  ]
  expect(missing({ notes, summary: 'Good', grades: [] }).filter(m => m.needed)).toEqual([expect.objectContaining({ place: '3' })])
})
it('only mentions notes and grades', () => {
  expect(missing({ notes: [], summary: 'Good', grades: [] }).map(m => m.needed)).toEqual([false, false])
})
it('lacks nothing', () => {
  expect(missing({ notes: [note('1', 'ok')], summary: 'Good', grades: [{ skill: 'hitting', grade: 50 }] })).toEqual([])
})
it('says so where a text takes no more', () => {
  expect(full('x'.repeat(3999))).toBeUndefined()
  expect(full('x'.repeat(4000))).toContain('4000 characters')
})
