import { expect, test } from 'vitest'
import { progress } from '../../projections/progress.ts'
import { projectedRowsOf, toRecordedEvents } from './project-events-in-memory.ts'

const assigned = (assignment: string, instructor: string, stream = 'folder-f', player = 'ana') => ({
  stream,
  type: 'FolderAssigned',
  data: { assignment, player, instructor, message: null, videos: [{ id: `${assignment}-v`, bytes: 1 }] },
})
const step = (type: string, assignment: string, more: object = {}, stream = 'folder-f') => ({ stream, type, data: { assignment, ...more } })
const review = (grade: number, more: object = {}) => ({ notes: [], summary: 'Good.', grades: [{ skill: 'hitting', grade }], ...more })
const rows = (...events: Parameters<typeof toRecordedEvents>[0]) => projectedRowsOf(progress as never, toRecordedEvents(events))

test('the read model has a row per assignment with the progress data of its review', () => {
  const goals = [{ id: 'g', text: 'Stay back', state: 'given' }]
  const checkpoints = [{ video: 'as1-v', skill: 'hitting', name: 'load', frame: 3, by: 'hand' }]
  const told = rows(
    assigned('as1', 'cal'),
    step('FeedbackGiven', 'as1', { review: review(50, { goals, checkpoints, voices: [{}] }) }),
    step('FolderPaid', 'as1'),
    assigned('as2', 'dee'),
    assigned('as3', 'cal', 'folder-g', 'ben'),
    // Reviews from older releases have neither goals nor positions.
    step('FeedbackGiven', 'as2', { review: review(60) }),
  )
  expect([...told.keys()]).toEqual(['as1', 'as2', 'as3'])
  expect(told.get('as1')).toEqual({
    assignment: 'as1',
    folder: 'f',
    player: 'ana',
    instructor: 'cal',
    videos: ['as1-v'],
    assigned: 0n,
    position: 1n,
    given: '2026-05-01T00:01:00.000Z',
    grades: [{ skill: 'hitting', grade: 50 }],
    goals,
    checkpoints,
  })
  expect(told.get('as2')).toMatchObject({ instructor: 'dee', assigned: 3n, position: 5n, goals: [], checkpoints: [] })
  expect(told.get('as3')).toMatchObject({ player: 'ben', folder: 'g', position: null, given: null, grades: [] })
})

test('the read model has no row for a withdrawn or declined assignment', () => {
  expect(rows(assigned('as1', 'cal'), step('AssignmentWithdrawn', 'as1')).size).toBe(0)
  expect(rows(assigned('as1', 'cal'), step('AssignmentDeclined', 'as1', { reason: 'Away' })).size).toBe(0)
})
