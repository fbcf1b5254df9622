import { expect, test } from 'vitest'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import {
  folderArchived,
  folderAssigned,
  folderCreated,
  folderPaid,
  given,
  paidLog,
  reviewingLog,
  sampleVideo,
  unpaidLog,
  videoAdded,
} from './folder-log.ts'

test('one question is allowed for each feedback', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  given(...reviewingLog)
    .when('ask', { question: 'How late?' })
    .refuses('no-feedback')
  given(...unpaidLog)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  given(...paidLog)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  given(...unpaidLog, asked)
    .when('ask', { question: 'How late?' })
    .gives()
  given(...unpaidLog, asked)
    .when('ask', { question: 'And my feet?' })
    .refuses('asked')
  given(...paidLog, folderArchived)
    .when('ask', { question: 'How late?' })
    .refuses('archived')
  const { state } = given(...paidLog, asked, folderAssigned('as2', 'as1'))
  expect(state.sessions.map(s => s.question)).toEqual(['How late?', null])
})

test('the question may point at a moment of the session’s videos, and at no other', () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  given(...unpaidLog)
    .when('ask', { question: 'Here?', about })
    .gives(asked)
  expect(given(...unpaidLog, asked).state.sessions[0]).toMatchObject({ question: 'Here?', about })
  const untold = [
    folderCreated,
    { type: 'VideoAdded', data: { video: sampleVideo('a', { milliseconds: 0 }) } } as FolderEvent,
    ...unpaidLog.slice(2),
  ]
  given(...untold)
    .when('ask', { question: 'Here?', about: { ...about, at: 90_000 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: { ...about, at: 90_000 } } })
  // `b` is in the folder, and in none of its sessions.
  for (const wrong of [
    { video: 'b', at: 1 },
    { video: 'x', at: 1 },
    { ...about, frame: 240 },
  ])
    given(...unpaidLog, videoAdded('b'))
      .when('ask', { question: 'Here?', about: wrong, frames: { a: 240 } })
      .refuses('question-moment', 'about')
})

test('a question about another moment is another question, and its frame must exist', () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  given(...unpaidLog, asked)
    .when('ask', { question: 'Here?', about: { frame: 72, at: 1200, video: 'a' } })
    .gives()
  for (const other of [{ ...about, frame: 73 }, { ...about, at: 1300 }, undefined])
    given(...unpaidLog, asked)
      .when('ask', { question: 'Here?', ...(other && { about: other }) })
      .refuses('asked')
  given(...unpaidLog)
    .when('ask', { question: 'Here?', about, frames: { a: 72, b: 900 } })
    .refuses('question-moment', 'about')
  given(...unpaidLog)
    .when('ask', { question: 'Here?', about, frames: { a: 73 } })
    .gives(asked)
  const { frame: _, ...unframed } = about
  given(...unpaidLog)
    .when('ask', { question: 'Here?', about: unframed, frames: { a: 1 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: unframed } })
})

test('the question is answered once, by the instructor who was asked', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  const answered: FolderEvent = { type: 'ClarificationAnswered', data: { assignment: 'as1', answer: 'Two frames.' } }
  const command = { instructor: 'i', answer: 'Two frames.' }
  given(...unpaidLog)
    .when('answer', command)
    .refuses('no-question')
  given(...unpaidLog, asked)
    .when('answer', command)
    .gives(answered)
  given(...unpaidLog, asked, folderPaid)
    .when('answer', command)
    .gives(answered)
  given(...unpaidLog, asked, folderPaid, folderArchived)
    .when('answer', command)
    .gives(answered)
  given(...unpaidLog, asked, answered)
    .when('answer', command)
    .gives()
  given(...unpaidLog, asked, answered)
    .when('answer', { ...command, answer: 'Three.' })
    .refuses('answered')
  given(...unpaidLog, asked)
    .when('answer', { ...command, instructor: 'j' })
    .refuses('not-assigned')
})
