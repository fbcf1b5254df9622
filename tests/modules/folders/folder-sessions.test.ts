import { expect, test } from 'vitest'
import {
  currentSession,
  type FolderEvent,
  folderSessionOfInstructor,
  folderStatusOf,
  nextSessionVideos,
} from '../../../modules/folders/folder.ts'
import {
  assignedFolderEvents,
  folderAssigned,
  folderCreated,
  givenFolderEvents,
  testQuote,
  testReview,
  videoAdded,
} from './sample-folder-events.ts'

// Three sessions: `as1` of instructor `i` with videos `a` and `b`, `as2` of instructor `j` with `c`, and `as3` of `i` with `d`.
const by = (instructor: string, id: string, videos: string[], follows: string | null = null): FolderEvent => ({
  type: 'FolderAssigned',
  data: {
    assignment: id,
    player: 'p',
    instructor,
    message: `For ${instructor}`,
    quote: testQuote,
    terms: null,
    follows,
    videos: videos.map(v => ({ id: v, bytes: 1000 })),
  },
})
const said = (instructor: string, assignment: string, on: string): FolderEvent => ({
  type: 'FeedbackGiven',
  data: {
    assignment,
    player: 'p',
    instructor,
    billable: { videos: 1, bytes: 1000, notes: 1 },
    terms: null,
    review: { ...testReview, summary: `${assignment} by ${instructor}`, notes: [{ ...testReview.notes[0]!, video: on }] },
  },
})
const settled = (assignment: string): FolderEvent => ({ type: 'FolderPaid', data: { assignment } })
const first = [folderCreated, videoAdded('a'), videoAdded('b'), by('i', 'as1', ['a', 'b']), said('i', 'as1', 'a'), settled('as1')]
const withJ = [...first, videoAdded('c'), by('j', 'as2', ['c'], 'as1')]
const second = [...withJ, said('j', 'as2', 'c')]
const third = [...second, settled('as2'), videoAdded('d'), by('i', 'as3', ['d'], 'as2'), said('i', 'as3', 'd')]

test('a session keeps its videos, texts and state, whatever happens in later sessions', () => {
  const { state } = givenFolderEvents(...third)
  expect(state.sessions.map(s => [s.id, s.instructor, s.status, s.review?.summary, s.videos.map(v => v.id)])).toEqual([
    ['as1', 'i', 'paid', 'as1 by i', ['a', 'b']],
    ['as2', 'j', 'paid', 'as2 by j', ['c']],
    ['as3', 'i', 'feedback-given', 'as3 by i', ['d']],
  ])
  expect(folderStatusOf(state)).toBe('feedback-given')
  for (const video of ['a', 'b', 'c', 'd'])
    expect(givenFolderEvents(...third, settled('as3')).when('removeVideo', { video }).decide).toThrow('was delivered')
  expect(nextSessionVideos(givenFolderEvents(...third, settled('as3')).state)).toEqual([{ id: 'd', bytes: 1000 }])
})

test('an instructor sees the named session or their latest, but none they declined', () => {
  const { state } = givenFolderEvents(...third)
  expect(folderSessionOfInstructor(state, 'i')?.id).toBe('as3')
  expect(folderSessionOfInstructor(state, 'i', 'as1')?.id).toBe('as1')
  expect(folderSessionOfInstructor(state, 'i', 'as2')).toBeUndefined()
  expect(folderSessionOfInstructor(state, 'j')?.id).toBe('as2')
  expect(folderSessionOfInstructor(state, 'k')).toBeUndefined()
  const ended = givenFolderEvents(...first, by('j', 'as2', ['b'], 'as1'), {
    type: 'AssignmentDeclined',
    data: { assignment: 'as2', reason: 'Away' },
  })
  expect(folderSessionOfInstructor(ended.state, 'j')).toBeUndefined()
  expect(folderSessionOfInstructor(ended.state, 'j', 'as2')).toBeUndefined()
  expect(currentSession(ended.state)?.id).toBe('as1')
})

test('a question about an old session works while another instructor has the folder', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  const about = { question: 'How late?', session: 'as1' }
  givenFolderEvents(...withJ)
    .when('ask', about)
    .gives(asked)
  givenFolderEvents(...withJ)
    .when('ask', { question: 'How late?' })
    .refuses('no-feedback')
  givenFolderEvents(...withJ)
    .when('ask', { ...about, session: 'as9' })
    .refuses('no-feedback')
  givenFolderEvents(...withJ, asked)
    .when('ask', about)
    .gives()
  // Each session has its own question.
  givenFolderEvents(...second, asked)
    .when('ask', { question: 'And now?', session: 'as2' })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as2', question: 'And now?' } })
  const answer = { instructor: 'i', answer: 'Two frames.', session: 'as1' }
  const answered: FolderEvent = { type: 'ClarificationAnswered', data: { assignment: 'as1', answer: 'Two frames.' } }
  givenFolderEvents(...second, asked)
    .when('answer', answer)
    .gives(answered)
  givenFolderEvents(...second, asked)
    .when('answer', { instructor: 'i', answer: 'Two frames.' })
    .gives(answered)
  givenFolderEvents(...second, asked)
    .when('answer', { ...answer, instructor: 'j' })
    .refuses('not-assigned')
  givenFolderEvents(...second, asked)
    .when('answer', { instructor: 'j', answer: 'So' })
    .refuses('no-question')
  expect(givenFolderEvents(...second, asked, answered).state.sessions.map(s => [s.question, s.answer])).toEqual([
    ['How late?', 'Two frames.'],
    [null, null],
  ])
})

test('an instructor cannot change the session of another instructor', () => {
  const words = { ...testReview, notes: [{ ...testReview.notes[0]!, video: 'c' }] }
  const former = givenFolderEvents(...withJ)
  former.when('deliver', { instructor: 'i', review: words }).refuses('delivered')
  former.when('deliver', { instructor: 'i', session: 'as2', review: words }).refuses('not-assigned')
  former.when('decline', { instructor: 'i', reason: 'No' }).refuses('delivered')
  former.when('decline', { instructor: 'i', session: 'as2', reason: 'No' }).refuses('not-assigned')
  former.when('startReview', { instructor: 'i' }).gives()
  former.when('startReview', { instructor: 'i', session: 'as2' }).refuses('not-assigned')
  former.when('startReview', { instructor: 'j' }).gives({ type: 'ReviewStarted', data: { assignment: 'as2' } })
  // Notes may only be on videos of their session.
  former.when('deliver', { instructor: 'j', review: testReview }).refuses('note-video', 'notes.0.video')
})

test("a review for a withdrawn assignment is not used for the instructor's next one", () => {
  const again = givenFolderEvents(
    ...assignedFolderEvents,
    { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } },
    folderAssigned('as2'),
  )
  again.when('deliver', { instructor: 'i', session: 'as1', review: testReview }).refuses('not-assigned')
  again.when('decline', { instructor: 'i', session: 'as1', reason: 'No' }).refuses('not-assigned')
  again.when('startReview', { instructor: 'i', session: 'as2' }).gives({ type: 'ReviewStarted', data: { assignment: 'as2' } })
})
