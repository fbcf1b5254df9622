import { expect, it } from 'vitest'
import type { FolderSummary } from '../../../modules/folders/contract.ts'
import type { Payment } from '../../../modules/payments/contract.ts'
import { needs } from '../../../src/islands/dashboard/needs.ts'

const folder = (id: string, status: FolderSummary['status'], videos = 1) => ({ id, name: id, status, videos }) as FolderSummary
const answered = (id: string) => ({ ...folder(id, 'paid'), clarification: 'answered' as const, assignment: `a-${id}` })
const payment = (of: string, status: Payment['status'], overdue = false) => ({ folder: of, status, overdue }) as Payment

it('puts what is most urgent first, one thing a folder', () => {
  const found = needs(
    [
      folder('assign', 'open'),
      folder('empty', 'open', 0),
      folder('due', 'feedback-given'),
      folder('late', 'feedback-given'),
      folder('bad', 'feedback-given'),
    ],
    [payment('due', 'due'), payment('late', 'due', true), payment('bad', 'failed', true)],
    [{ folder: 'empty', name: 'swing.mp4' }],
    [],
  )
  expect(found.map(n => [n.folder, n.kind])).toEqual([
    ['bad', 'failed'],
    ['late', 'overdue'],
    ['due', 'due'],
    ['empty', 'upload'],
    ['assign', 'assign'],
  ])
})
it('leaves paid, waiting and archived folders alone', () => {
  expect(
    needs([folder('a', 'paid'), folder('b', 'assigned'), folder('c', 'archived')], [payment('a', 'paid'), payment('c', 'due')], [], []),
  ).toEqual([])
})
it('tells of an instructor who declined, before anything else about that folder', () => {
  const declined = { ...folder('d', 'open'), instructor: { name: 'Jo Kim' } } as FolderSummary
  expect(needs([declined], [], [], [])).toMatchObject([{ kind: 'declined', instructor: 'Jo Kim' }])
})
it('tells of an answer until it was read', () => {
  expect(needs([answered('q')], [], [], [])).toMatchObject([{ kind: 'answer' }])
  expect(needs([answered('q')], [], [], ['a-q'])).toEqual([])
})
