import { expect, it } from 'vitest'
import { notesReachedBetween, sortNotes } from '../../src/folders/notes.ts'

const note = (id: string, at: number, video = 'a') => ({ id, at, video })

it('notes are sorted by clip, then by time', () => {
  const notes = [note('1', 500, 'b'), note('2', 900), note('3', 100)]
  expect(sortNotes(notes, [{ id: 'a' }, { id: 'b' }]).map(n => n.id)).toEqual(['3', '2', '1'])
})
it('playback reaches a note once, when it passes the note', () => {
  const notes = [note('1', 1000)]
  expect(notesReachedBetween(notes, 960, 1000)).toHaveLength(1)
  expect(notesReachedBetween(notes, 1000, 1040)).toHaveLength(0)
  expect(notesReachedBetween(notes, 900, 960)).toHaveLength(0)
})
it('playback does not reach a note by jumping past it or going backward', () => {
  const notes = [note('1', 1000)]
  expect(notesReachedBetween(notes, 0, 5000)).toHaveLength(0)
  expect(notesReachedBetween(notes, 1200, 800)).toHaveLength(0)
})
