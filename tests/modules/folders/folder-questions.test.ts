import { expect, test } from 'vitest'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import {
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolder,
  paidFolderEvents,
  reviewingFolderEvents,
  testVideo,
  unpaidFolderEvents,
  videoAdded,
} from './sample-folder-events.ts'

test('the player can ask one question about each feedback', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  givenFolder(...reviewingFolderEvents)
    .when('ask', { question: 'How late?' })
    .refuses('no-feedback')
  givenFolder(...unpaidFolderEvents)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  givenFolder(...paidFolderEvents)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  givenFolder(...unpaidFolderEvents, asked)
    .when('ask', { question: 'How late?' })
    .gives()
  givenFolder(...unpaidFolderEvents, asked)
    .when('ask', { question: 'And my feet?' })
    .refuses('asked')
  givenFolder(...paidFolderEvents, folderArchived)
    .when('ask', { question: 'How late?' })
    .refuses('archived')
  const { state } = givenFolder(...paidFolderEvents, asked, folderAssigned('as2', 'as1'))
  expect(state.sessions.map(s => s.question)).toEqual(['How late?', null])
})

test("the question may refer only to a moment of the session's own videos", () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  givenFolder(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about })
    .gives(asked)
  expect(givenFolder(...unpaidFolderEvents, asked).state.sessions[0]).toMatchObject({ question: 'Here?', about })
  const logWithUnknownDuration = [
    folderCreated,
    { type: 'VideoAdded', data: { video: testVideo('a', { milliseconds: 0 }) } } as FolderEvent,
    ...unpaidFolderEvents.slice(2),
  ]
  givenFolder(...logWithUnknownDuration)
    .when('ask', { question: 'Here?', about: { ...about, at: 90_000 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: { ...about, at: 90_000 } } })
  // `b` is in the folder, but in none of its sessions.
  for (const wrong of [
    { video: 'b', at: 1 },
    { video: 'x', at: 1 },
    { ...about, frame: 240 },
  ])
    givenFolder(...unpaidFolderEvents, videoAdded('b'))
      .when('ask', { question: 'Here?', about: wrong, frames: { a: 240 } })
      .refuses('question-moment', 'about')
})

test('a question about another moment is a different one, and its frame must exist', () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  givenFolder(...unpaidFolderEvents, asked)
    .when('ask', { question: 'Here?', about: { frame: 72, at: 1200, video: 'a' } })
    .gives()
  for (const other of [{ ...about, frame: 73 }, { ...about, at: 1300 }, undefined])
    givenFolder(...unpaidFolderEvents, asked)
      .when('ask', { question: 'Here?', ...(other && { about: other }) })
      .refuses('asked')
  givenFolder(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about, frames: { a: 72, b: 900 } })
    .refuses('question-moment', 'about')
  givenFolder(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about, frames: { a: 73 } })
    .gives(asked)
  const { frame: _, ...unframed } = about
  givenFolder(...unpaidFolderEvents)
    .when('ask', { question: 'Here?', about: unframed, frames: { a: 1 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: unframed } })
})

test('only the instructor who was asked can answer the question, once', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  const answered: FolderEvent = { type: 'ClarificationAnswered', data: { assignment: 'as1', answer: 'Two frames.' } }
  const command = { instructor: 'i', answer: 'Two frames.' }
  givenFolder(...unpaidFolderEvents)
    .when('answer', command)
    .refuses('no-question')
  givenFolder(...unpaidFolderEvents, asked)
    .when('answer', command)
    .gives(answered)
  givenFolder(...unpaidFolderEvents, asked, folderPaid)
    .when('answer', command)
    .gives(answered)
  givenFolder(...unpaidFolderEvents, asked, folderPaid, folderArchived)
    .when('answer', command)
    .gives(answered)
  givenFolder(...unpaidFolderEvents, asked, answered)
    .when('answer', command)
    .gives()
  givenFolder(...unpaidFolderEvents, asked, answered)
    .when('answer', { ...command, answer: 'Three.' })
    .refuses('answered')
  givenFolder(...unpaidFolderEvents, asked)
    .when('answer', { ...command, instructor: 'j' })
    .refuses('not-assigned')
})
