import { expect, test } from 'vitest'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import {
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolderEvents,
  paidFolderEvents,
  reviewingFolderEvents,
  testVideo,
  unpaidFolderEvents,
  videoAdded,
} from './sample-folder-events.ts'

test('the player can ask one question about each feedback', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  givenFolderEvents(...reviewingFolderEvents)
    .when('ask', { question: 'How late?' })
    .refuses('no-feedback')
  givenFolderEvents(...unpaidFolderEvents)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  givenFolderEvents(...paidFolderEvents)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  givenFolderEvents(...unpaidFolderEvents, asked)
    .when('ask', { question: 'How late?' })
    .gives()
  givenFolderEvents(...unpaidFolderEvents, asked)
    .when('ask', { question: 'And my feet?' })
    .refuses('asked')
  givenFolderEvents(...paidFolderEvents, folderArchived)
    .when('ask', { question: 'How late?' })
    .refuses('archived')
  const { state } = givenFolderEvents(...paidFolderEvents, asked, folderAssigned('as2', 'as1'))
  expect(state.sessions.map(s => s.question)).toEqual(['How late?', null])
})

test("the question may refer only to a moment of the session's own videos", () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  givenFolderEvents(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about })
    .gives(asked)
  expect(givenFolderEvents(...unpaidFolderEvents, asked).state.sessions[0]).toMatchObject({ question: 'Here?', about })
  const logWithUnknownDuration = [
    folderCreated,
    { type: 'VideoAdded', data: { video: testVideo('a', { milliseconds: 0 }) } } as FolderEvent,
    ...unpaidFolderEvents.slice(2),
  ]
  givenFolderEvents(...logWithUnknownDuration)
    .when('ask', { question: 'Here?', about: { ...about, at: 90_000 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: { ...about, at: 90_000 } } })
  // `b` is in the folder, but in none of its sessions.
  for (const wrong of [
    { video: 'b', at: 1 },
    { video: 'x', at: 1 },
    { ...about, frame: 240 },
  ])
    givenFolderEvents(...unpaidFolderEvents, videoAdded('b'))
      .when('ask', { question: 'Here?', about: wrong, frames: { a: 240 } })
      .refuses('question-moment', 'about')
})

test('a question about another moment is a different one, and its frame must exist', () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  givenFolderEvents(...unpaidFolderEvents, asked)
    .when('ask', { question: 'Here?', about: { frame: 72, at: 1200, video: 'a' } })
    .gives()
  for (const other of [{ ...about, frame: 73 }, { ...about, at: 1300 }, undefined])
    givenFolderEvents(...unpaidFolderEvents, asked)
      .when('ask', { question: 'Here?', ...(other && { about: other }) })
      .refuses('asked')
  givenFolderEvents(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about, frames: { a: 72, b: 900 } })
    .refuses('question-moment', 'about')
  givenFolderEvents(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about, frames: { a: 73 } })
    .gives(asked)
  const { frame: _, ...unframed } = about
  givenFolderEvents(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about: unframed, frames: { a: 1 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: unframed } })
})

test('only the instructor who was asked can answer the question, once', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  const answered: FolderEvent = { type: 'ClarificationAnswered', data: { assignment: 'as1', answer: 'Two frames.' } }
  const command = { instructor: 'i', answer: 'Two frames.' }
  givenFolderEvents(...unpaidFolderEvents)
    .when('answer', command)
    .refuses('no-question')
  givenFolderEvents(...unpaidFolderEvents, asked)
    .when('answer', command)
    .gives(answered)
  givenFolderEvents(...unpaidFolderEvents, asked, folderPaid)
    .when('answer', command)
    .gives(answered)
  givenFolderEvents(...unpaidFolderEvents, asked, folderPaid, folderArchived)
    .when('answer', command)
    .gives(answered)
  givenFolderEvents(...unpaidFolderEvents, asked, answered)
    .when('answer', command)
    .gives()
  givenFolderEvents(...unpaidFolderEvents, asked, answered)
    .when('answer', { ...command, answer: 'Three.' })
    .refuses('answered')
  givenFolderEvents(...unpaidFolderEvents, asked)
    .when('answer', { ...command, instructor: 'j' })
    .refuses('not-assigned')
})
