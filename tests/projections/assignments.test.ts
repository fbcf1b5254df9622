import { expect, test } from 'vitest'
import { assignments } from '../../projections/assignments.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

const stream = 'folder-f'
const review = (summary: string) => ({ notes: [], summary, grades: [{ skill: 'hitting', grade: 50 }] })
const assigned = (assignment: string, instructor: string, videos: string[]) => ({
  stream,
  type: 'FolderAssigned',
  data: { assignment, player: 'ana', instructor, message: `For ${instructor}`, videos: videos.map(id => ({ id, bytes: 1 })) },
})
const step = (type: string, assignment: string, more: object = {}) => ({ stream, type, data: { assignment, ...more } })
const rows = (...events: Parameters<typeof toRecordedEvents>[0]) => projectedRowsOf(assignments as never, toRecordedEvents(events))

test('the read model has one row per assignment, which keeps its own texts and videos', () => {
  const told = rows(
    assigned('as1', 'cal', ['a', 'b']),
    step('ReviewStarted', 'as1'),
    step('FeedbackGiven', 'as1', { review: review('First.') }),
    step('FolderPaid', 'as1'),
    assigned('as2', 'dee', ['c']),
    step('ClarificationAsked', 'as1', { question: 'How late?' }),
    step('FeedbackGiven', 'as2', { review: review('Second.') }),
    step('ClarificationAnswered', 'as1', { answer: 'Two frames.' }),
  )
  expect(told.get('as1')).toMatchObject({
    folder: 'f',
    player: 'ana',
    instructor: 'cal',
    status: 'paid',
    message: 'For cal',
    videos: ['a', 'b'],
    position: 0n,
    review: review('First.'),
    given: '2026-05-01T00:02:00.000Z',
    question: 'How late?',
    answer: 'Two frames.',
  })
  expect(told.get('as2')).toMatchObject({
    instructor: 'dee',
    status: 'feedback-given',
    message: 'For dee',
    videos: ['c'],
    position: 4n,
    assigned: '2026-05-01T00:04:00.000Z',
    review: review('Second.'),
    question: null,
    answer: null,
  })
})

test('a row follows its assignment until it is paid, withdrawn or declined', () => {
  const steps = [assigned('as1', 'cal', ['a']), step('ReviewStarted', 'as1'), step('FeedbackGiven', 'as1'), step('FolderPaid', 'as1')]
  const statusAfter = (n: number) => rows(...steps.slice(0, n)).get('as1')!.status
  expect([1, 2, 3, 4].map(statusAfter)).toEqual(['assigned', 'in-review', 'feedback-given', 'paid'])
  for (const type of ['AssignmentWithdrawn', 'AssignmentDeclined']) {
    expect(rows(assigned('as1', 'cal', ['a']), step(type, 'as1')).get('as1')!.status).toBe('ended')
  }
})
