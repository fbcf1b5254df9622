import { expect, it } from 'vitest'
import { missing } from '../../../src/islands/review/missing.ts'

const note = (id: string, text: string) => ({ id, video: 'v', at: 0, kind: 'tip' as const, text })

it('needs a summary and words in every note', () => {
  const needed = missing({ notes: [note('1', 'ok'), note('2', '  ')], summary: ' ', grades: [] }).filter(m => m.needed)
  expect(needed).toHaveLength(2)
  expect(needed[1]).toMatchObject({ place: '2' })
})
it('only mentions notes and grades', () => {
  expect(missing({ notes: [], summary: 'Good', grades: [] }).map(m => m.needed)).toEqual([false, false])
})
it('lacks nothing', () => {
  expect(missing({ notes: [note('1', 'ok')], summary: 'Good', grades: [{ skill: 'hitting', grade: 50 }] })).toEqual([])
})
