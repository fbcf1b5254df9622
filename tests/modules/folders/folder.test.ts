import { expect, test } from 'vitest'
import type { Review } from '../../../modules/folders/contract.ts'
import {
  assertRoomForVideo,
  canAssign,
  currentSession,
  type FolderEvent,
  folder,
  nextSessionVideos,
  type StoredVideo,
  sessionOfInstructor,
  statusOf,
} from '../../../modules/folders/folder.ts'
import { fold } from '../../../modules/kernel/decider.ts'
import { deciderSpec } from '../../support/decider-spec.ts'
import { refusal } from '../../support/refusal.ts'

const { given } = deciderSpec(folder)

const video = (id: string, more: Partial<StoredVideo> = {}): StoredVideo => ({
  id,
  name: `${id}.mp4`,
  type: 'video/mp4',
  bytes: 1000,
  milliseconds: 4000,
  width: 1280,
  height: 720,
  key: `videos/f/${id}`,
  poster: null,
  ...more,
})
const quote = { items: [{ label: 'Base', cents: 1500 }], total: 1550, atMost: 2500 }
const review: Review = {
  notes: [{ id: 'n1', video: 'a', at: 1200, kind: 'technique', text: 'Let it travel.' }],
  summary: 'Good load, late hands.',
  grades: [{ skill: 'hitting', grade: 55 }],
}
const added = (id: string): FolderEvent => ({ type: 'VideoAdded', data: { video: video(id) } })
const created: FolderEvent = { type: 'FolderCreated', data: { player: 'p', name: 'Swings' } }
const assigned = (id = 'as1', follows: string | null = null, videos = [{ id: 'a', bytes: 1000 }]): FolderEvent => ({
  type: 'FolderAssigned',
  data: { assignment: id, player: 'p', instructor: 'i', message: 'Look at my hands', quote, terms: { credit: false }, follows, videos },
})
const started: FolderEvent = { type: 'ReviewStarted', data: { assignment: 'as1' } }
const delivered: FolderEvent = {
  type: 'FeedbackGiven',
  data: {
    assignment: 'as1',
    player: 'p',
    instructor: 'i',
    review,
    billable: { videos: 1, bytes: 1000, notes: 1 },
    terms: { credit: false },
  },
}
const paid: FolderEvent = { type: 'FolderPaid', data: { assignment: 'as1' } }
const archived: FolderEvent = { type: 'FolderArchived', data: {} }

const open = [created, added('a')]
const waiting = [...open, assigned()]
const reviewing = [...waiting, started]
const due = [...reviewing, delivered]
const done = [...due, paid]
const assign = {
  assignment: 'as1',
  instructor: 'i',
  message: 'Look at my hands',
  quote,
  terms: { credit: false },
  videos: [{ id: 'a', bytes: 1000 }],
}

test('a folder goes from open to paid', () => {
  const statuses = done.map((_, i) => statusOf(fold(folder, done.slice(0, i + 1))))
  expect(statuses).toEqual(['open', 'open', 'assigned', 'in-review', 'feedback-given', 'paid'])
})

test('creating happens once: a repeat is silent, another player is refused', () => {
  given().when('create', { player: 'p', name: 'Swings' }).gives(created)
  given(created).when('create', { player: 'p', name: 'Swings' }).gives()
  given(created).when('create', { player: 'q', name: 'Swings' }).refuses('exists')
  given(created).when('create', { player: 'p', name: 'Bunts' }).refuses('exists')
})

test('nothing can be done to a folder that is not there', () => {
  given().when('rename', { name: 'x' }).refuses('no-folder')
  given().when('archive', {}).refuses('no-folder')
  given().when('restore', {}).refuses('no-folder')
  given()
    .when('addVideo', { video: video('a') })
    .refuses('no-folder')
  given().when('removeVideo', { video: 'a' }).refuses('no-folder')
  given().when('assign', assign).refuses('no-folder')
  given().when('withdraw', {}).refuses('no-folder')
})

test('renaming: at any time but in the archive', () => {
  given(created)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  given(created).when('rename', { name: 'Swings' }).gives()
  given(...reviewing)
    .when('rename', { name: 'Bunts' })
    .gives({ type: 'FolderRenamed', data: { name: 'Bunts' } })
  given(created, archived).when('rename', { name: 'Bunts' }).refuses('archived')
})

test('archives open and paid folders, but none with work or a payment under way', () => {
  given(...open)
    .when('archive', {})
    .gives(archived)
  given(...done)
    .when('archive', {})
    .gives(archived)
  given(...open, archived)
    .when('archive', {})
    .gives()
  given(...waiting)
    .when('archive', {})
    .refuses('assigned')
  given(...reviewing)
    .when('archive', {})
    .refuses('in-review')
  given(...due)
    .when('archive', {})
    .refuses('payment-due')
})

test('restoring brings back what it was', () => {
  const restored: FolderEvent = { type: 'FolderRestored', data: {} }
  given(...done, archived)
    .when('restore', {})
    .gives(restored)
  given(...done)
    .when('restore', {})
    .gives()
  expect(statusOf(given(...done, archived).state)).toBe('archived')
  expect(statusOf(given(...done, archived, restored).state)).toBe('paid')
})

test('of three videos one goes, whichever it is, and the others stay', () => {
  const three = given(...open, added('b'), added('c'))
  for (const id of ['a', 'b', 'c']) three.when('removeVideo', { video: id }).gives({ type: 'VideoRemoved', data: { video: id } })
  const { state } = given(...open, added('b'), added('c'), { type: 'VideoRemoved', data: { video: 'b' } })
  expect(state.videos.map(v => v.id)).toEqual(['a', 'c'])
  expect(nextSessionVideos(state).map(v => v.id)).toEqual(['a', 'c'])
})

test('a session takes three videos', () => {
  given(created)
    .when('addVideo', { video: video('a') })
    .gives(added('a'))
  given(...open, added('b'))
    .when('addVideo', { video: video('c') })
    .gives(added('c'))
  given(...open, added('b'), added('c'))
    .when('addVideo', { video: video('d') })
    .refuses('too-many-videos')
})

test('adding a video twice is silent, and a late repeat does not restore a removed one', () => {
  given(...open)
    .when('addVideo', { video: video('a') })
    .gives()
  given(...waiting)
    .when('addVideo', { video: video('a') })
    .gives()
  given(...open, { type: 'VideoRemoved', data: { video: 'a' } })
    .when('addVideo', { video: video('a') })
    .refuses('removed')
})

test('videos are frozen from assignment to payment', () => {
  for (const [events, code] of [
    [waiting, 'assigned'],
    [reviewing, 'in-review'],
    [due, 'payment-due'],
    [[...open, archived], 'archived'],
  ] as const) {
    given(...events)
      .when('addVideo', { video: video('b') })
      .refuses(code)
    given(...events)
      .when('removeVideo', { video: 'a' })
      .refuses(code)
  }
})

test('removing a video: once, and not one with feedback on it', () => {
  const removed: FolderEvent = { type: 'VideoRemoved', data: { video: 'a' } }
  given(...open)
    .when('removeVideo', { video: 'a' })
    .gives(removed)
  given(...open, removed)
    .when('removeVideo', { video: 'a' })
    .gives()
  given(...open)
    .when('removeVideo', { video: 'x' })
    .refuses('no-video')
  given(...done)
    .when('removeVideo', { video: 'a' })
    .refuses('reviewed')
})

test('assigning needs videos, and the very videos the price was made for', () => {
  given(...open)
    .when('assign', assign)
    .gives(assigned())
  given(created)
    .when('assign', { ...assign, videos: [] })
    .refuses('no-videos')
  given(...open, added('b'))
    .when('assign', assign)
    .refuses('quote-changed')
  given(...open, archived)
    .when('assign', assign)
    .refuses('archived')
})

test('one assignment is open at a time; the same one again is silent', () => {
  given(...waiting)
    .when('assign', assign)
    .gives()
  given(...due)
    .when('assign', assign)
    .gives()
  given(...waiting)
    .when('assign', { ...assign, instructor: 'j' })
    .refuses('assigned-before')
  // Nobody reads what was written since.
  for (const message of ['Look at my feet, too', null])
    given(...waiting)
      .when('assign', { ...assign, message })
      .refuses('assigned-before')
  given(...waiting)
    .when('assign', { ...assign, assignment: 'as2' })
    .refuses('assigned')
  given(...reviewing)
    .when('assign', { ...assign, assignment: 'as2' })
    .refuses('assigned')
  given(...due)
    .when('assign', { ...assign, assignment: 'as2' })
    .refuses('payment-due')
  given(...waiting, { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } })
    .when('assign', assign)
    .refuses('assigned-before')
})

test('a paid folder can be assigned again and remembers what it follows', () => {
  given(...done)
    .when('assign', { ...assign, assignment: 'as2' })
    .gives(assigned('as2', 'as1'))
  const again = { ...assign, assignment: 'as2', videos: [{ id: 'b', bytes: 1000 }] }
  given(...done, added('b'))
    .when('assign', again)
    .gives(assigned('as2', 'as1', again.videos))
})

test('a follow-up is about the new videos, of which there may be three again', () => {
  expect(nextSessionVideos(given(...done).state)).toEqual([{ id: 'a', bytes: 1000 }])
  const more = given(...done, added('b'), added('c'))
  expect(nextSessionVideos(more.state).map(v => v.id)).toEqual(['b', 'c'])
  more.when('addVideo', { video: video('d') }).gives(added('d'))
  given(...done, added('b'), added('c'), added('d'))
    .when('addVideo', { video: video('e') })
    .refuses('too-many-videos')
})

test('withdrawing: until the review starts', () => {
  given(...waiting)
    .when('withdraw', {})
    .gives({ type: 'AssignmentWithdrawn', data: { assignment: 'as1' } })
  given(...open)
    .when('withdraw', {})
    .gives()
  given(...reviewing)
    .when('withdraw', {})
    .refuses('in-review')
  given(...due)
    .when('withdraw', {})
    .refuses('delivered')
})

test('a withdrawn or declined follow-up leaves the feedback before it', () => {
  for (const type of ['AssignmentWithdrawn', 'AssignmentDeclined'] as const) {
    const { state } = given(...done, assigned('as2', 'as1'), { type, data: { assignment: 'as2', reason: 'Injured' } } as FolderEvent)
    expect(statusOf(state)).toBe('paid')
    expect(currentSession(state)).toMatchObject({ id: 'as1', review })
  }
})

test('declining: with a reason, until feedback is given, by the one it is assigned to', () => {
  const declined: FolderEvent = { type: 'AssignmentDeclined', data: { assignment: 'as1', reason: 'Injured' } }
  const command = { instructor: 'i', reason: 'Injured' }
  given(...waiting)
    .when('decline', command)
    .gives(declined)
  given(...reviewing)
    .when('decline', command)
    .gives(declined)
  given(...due)
    .when('decline', command)
    .refuses('delivered')
  given(...waiting)
    .when('decline', { ...command, instructor: 'j' })
    .refuses('not-assigned')
  given(...waiting, declined)
    .when('decline', command)
    .refuses('not-assigned')
})

test('starting the review: once', () => {
  given(...waiting)
    .when('startReview', { instructor: 'i' })
    .gives(started)
  given(...reviewing)
    .when('startReview', { instructor: 'i' })
    .gives()
  given(...due)
    .when('startReview', { instructor: 'i' })
    .gives()
  given(...waiting)
    .when('startReview', { instructor: 'j' })
    .refuses('not-assigned')
  given(...open)
    .when('startReview', { instructor: 'i' })
    .refuses('not-assigned')
})

test('delivering: says what is billable, and starts the review that was not started', () => {
  given(...reviewing)
    .when('deliver', { instructor: 'i', review })
    .gives(delivered)
  given(...waiting)
    .when('deliver', { instructor: 'i', review })
    .gives(started, delivered)
  given(...reviewing)
    .when('deliver', { instructor: 'j', review })
    .refuses('not-assigned')
})

test('delivering twice: the same words are silent, other words are refused', () => {
  given(...due)
    .when('deliver', { instructor: 'i', review: structuredClone(review) })
    .gives()
  given(...done)
    .when('deliver', { instructor: 'i', review })
    .gives()
  given(...due)
    .when('deliver', { instructor: 'i', review: { ...review, summary: 'Better.' } })
    .refuses('delivered')
})

test("a note lies in a video of the folder; the browser's length limits nothing", () => {
  const note = review.notes[0]!
  const deliver = (change: object) =>
    given(...reviewing).when('deliver', { instructor: 'i', review: { ...review, notes: [note, { ...note, ...change }] } })
  deliver({ video: 'x' }).refuses('note-video', 'notes.1.video')
  const unmeasured: FolderEvent = { type: 'VideoAdded', data: { video: video('a', { milliseconds: 0 }) } }
  const pastTheLength = { ...review, notes: [{ ...note, at: 4001 }] }
  for (const events of [reviewing, [created, unmeasured, assigned(), started]]) {
    expect(
      given(...events)
        .when('deliver', { instructor: 'i', review: pastTheLength })
        .decide(),
    ).toHaveLength(1)
  }
})

test('a note lies on a frame that its video has, where the frames are counted', () => {
  const noted = (frame: number) => ({ ...review, notes: [{ ...review.notes[0]!, frame }] })
  const deliver = (frame: number, frames: Record<string, number>) =>
    given(...reviewing).when('deliver', { instructor: 'i', review: noted(frame), frames })
  const { video } = review.notes[0]!
  deliver(60, { [video]: 60 }).refuses('note-time', 'notes.0.frame')
  for (const frames of [{ [video]: 61 }, {}, { another: 60 }]) {
    expect(deliver(60, frames).decide()).toHaveLength(1)
  }
})

test('each skill has at most one grade', () => {
  const grades: Review['grades'] = [
    { skill: 'hitting', grade: 55 },
    { skill: 'pitching', grade: 55 },
    { skill: 'fielding', grade: 40 },
  ]
  const { data } = delivered as Extract<FolderEvent, { type: 'FeedbackGiven' }>
  given(...reviewing)
    .when('deliver', { instructor: 'i', review: { ...review, grades } })
    .gives({ type: 'FeedbackGiven', data: { ...data, review: { ...review, grades } } })
  given(...reviewing)
    .when('deliver', { instructor: 'i', review: { ...review, grades: [...grades, { skill: 'pitching', grade: 60 }] } })
    .refuses('grade-twice', 'grades.3')
  given(...reviewing)
    .when('deliver', { instructor: 'i', review: { ...review, grades: [...review.grades, { skill: 'hitting', grade: 60 }] } })
    .refuses('grade-twice', 'grades.1')
})

test('one question for each feedback', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  given(...reviewing)
    .when('ask', { question: 'How late?' })
    .refuses('no-feedback')
  given(...due)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  given(...done)
    .when('ask', { question: 'How late?' })
    .gives(asked)
  given(...due, asked)
    .when('ask', { question: 'How late?' })
    .gives()
  given(...due, asked)
    .when('ask', { question: 'And my feet?' })
    .refuses('asked')
  given(...done, archived)
    .when('ask', { question: 'How late?' })
    .refuses('archived')
  const { state } = given(...done, asked, assigned('as2', 'as1'))
  expect(state.sessions.map(s => s.question)).toEqual(['How late?', null])
})

test('the question may point at a moment of the session’s videos, and at no other', () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  given(...due)
    .when('ask', { question: 'Here?', about })
    .gives(asked)
  expect(given(...due, asked).state.sessions[0]).toMatchObject({ question: 'Here?', about })
  const untold = [created, { type: 'VideoAdded', data: { video: video('a', { milliseconds: 0 }) } } as FolderEvent, ...due.slice(2)]
  given(...untold)
    .when('ask', { question: 'Here?', about: { ...about, at: 90_000 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: { ...about, at: 90_000 } } })
  // `b` is in the folder, and in none of its sessions.
  for (const wrong of [
    { video: 'b', at: 1 },
    { video: 'x', at: 1 },
    { ...about, frame: 240 },
  ])
    given(...due, added('b'))
      .when('ask', { question: 'Here?', about: wrong, frames: { a: 240 } })
      .refuses('question-moment', 'about')
})

test('a question about another moment is another question, and its frame must exist', () => {
  const about = { video: 'a', at: 1200, frame: 72 }
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about } }
  given(...due, asked)
    .when('ask', { question: 'Here?', about: { frame: 72, at: 1200, video: 'a' } })
    .gives()
  for (const other of [{ ...about, frame: 73 }, { ...about, at: 1300 }, undefined])
    given(...due, asked)
      .when('ask', { question: 'Here?', ...(other && { about: other }) })
      .refuses('asked')
  given(...due)
    .when('ask', { question: 'Here?', about, frames: { a: 72, b: 900 } })
    .refuses('question-moment', 'about')
  given(...due)
    .when('ask', { question: 'Here?', about, frames: { a: 73 } })
    .gives(asked)
  const { frame: _, ...unframed } = about
  given(...due)
    .when('ask', { question: 'Here?', about: unframed, frames: { a: 1 } })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as1', question: 'Here?', about: unframed } })
})

test('a goal carries on one that the same instructor has given the same player, once', () => {
  const goals = [
    { id: 'h1', text: 'Stay back', state: 'given' as const },
    { id: 'h2', text: 'Knee', from: 'g2', state: 'tried' as const },
    { id: 'h3', text: 'Hips', from: 'g3', state: 'fixed' as const },
  ]
  const deliver = (more: object) => given(...reviewing).when('deliver', { instructor: 'i', review: { ...review, goals }, ...more })
  deliver({}).refuses('goal-from', 'goals.1.from')
  deliver({ goals: ['g2'] }).refuses('goal-from', 'goals.2.from')
  const { data } = delivered as Extract<FolderEvent, { type: 'FeedbackGiven' }>
  deliver({ goals: ['g1', 'g2', 'g3'] }).gives({ type: 'FeedbackGiven', data: { ...data, review: { ...review, goals } } })
  const twice = { ...review, goals: [...goals, { ...goals[1]!, id: 'h4' }] }
  deliver({ goals: ['g2', 'g3'], review: twice }).refuses('goal-twice', 'goals.3.from')
})

test('the question is answered once, by the instructor who was asked', () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  const answered: FolderEvent = { type: 'ClarificationAnswered', data: { assignment: 'as1', answer: 'Two frames.' } }
  const command = { instructor: 'i', answer: 'Two frames.' }
  given(...due)
    .when('answer', command)
    .refuses('no-question')
  given(...due, asked)
    .when('answer', command)
    .gives(answered)
  given(...due, asked, paid)
    .when('answer', command)
    .gives(answered)
  given(...due, asked, paid, archived)
    .when('answer', command)
    .gives(answered)
  given(...due, asked, answered)
    .when('answer', command)
    .gives()
  given(...due, asked, answered)
    .when('answer', { ...command, answer: 'Three.' })
    .refuses('answered')
  given(...due, asked)
    .when('answer', { ...command, instructor: 'j' })
    .refuses('not-assigned')
})

test('paid: once, and only what was delivered', () => {
  given(...due)
    .when('paid', { assignment: 'as1' })
    .gives(paid)
  given(...done)
    .when('paid', { assignment: 'as1' })
    .gives()
  given(...done, assigned('as2', 'as1'))
    .when('paid', { assignment: 'as1' })
    .gives()
  given(...reviewing)
    .when('paid', { assignment: 'as1' })
    .refuses('no-feedback')
  given(...due)
    .when('paid', { assignment: 'as9' })
    .refuses('no-assignment')
})

// Three sessions: as1 of i on a and b, as2 of j on c, as3 of i on d.
const by = (instructor: string, id: string, videos: string[], follows: string | null = null): FolderEvent => ({
  type: 'FolderAssigned',
  data: {
    ...{ assignment: id, player: 'p', instructor, message: `For ${instructor}`, quote, terms: null, follows },
    videos: videos.map(v => ({ id: v, bytes: 1000 })),
  },
})
const said = (instructor: string, assignment: string, on: string): FolderEvent => ({
  type: 'FeedbackGiven',
  data: {
    ...{ assignment, player: 'p', instructor, billable: { videos: 1, bytes: 1000, notes: 1 }, terms: null },
    review: { ...review, summary: `${assignment} by ${instructor}`, notes: [{ ...review.notes[0]!, video: on }] },
  },
})
const settled = (assignment: string): FolderEvent => ({ type: 'FolderPaid', data: { assignment } })
const first = [created, added('a'), added('b'), by('i', 'as1', ['a', 'b']), said('i', 'as1', 'a'), settled('as1')]
const withJ = [...first, added('c'), by('j', 'as2', ['c'], 'as1')]
const second = [...withJ, said('j', 'as2', 'c')]
const third = [...second, settled('as2'), added('d'), by('i', 'as3', ['d'], 'as2'), said('i', 'as3', 'd')]

test('every session keeps its videos, words and state, whatever comes after it', () => {
  const { state } = given(...third)
  expect(state.sessions.map(s => [s.id, s.instructor, s.status, s.review?.summary, s.videos.map(v => v.id)])).toEqual([
    ['as1', 'i', 'paid', 'as1 by i', ['a', 'b']],
    ['as2', 'j', 'paid', 'as2 by j', ['c']],
    ['as3', 'i', 'feedback-given', 'as3 by i', ['d']],
  ])
  expect(statusOf(state)).toBe('feedback-given')
  for (const video of ['a', 'b', 'c', 'd'])
    expect(given(...third, settled('as3')).when('removeVideo', { video }).decide).toThrow('feedback on it')
  expect(nextSessionVideos(given(...third, settled('as3')).state)).toEqual([{ id: 'd', bytes: 1000 }])
})

test("an instructor's session is the named one or their last, but never one that ended", () => {
  const { state } = given(...third)
  expect(sessionOfInstructor(state, 'i')?.id).toBe('as3')
  expect(sessionOfInstructor(state, 'i', 'as1')?.id).toBe('as1')
  expect(sessionOfInstructor(state, 'i', 'as2')).toBeUndefined()
  expect(sessionOfInstructor(state, 'j')?.id).toBe('as2')
  expect(sessionOfInstructor(state, 'k')).toBeUndefined()
  const ended = given(...first, by('j', 'as2', ['b'], 'as1'), { type: 'AssignmentDeclined', data: { assignment: 'as2', reason: 'Away' } })
  expect(sessionOfInstructor(ended.state, 'j')).toBeUndefined()
  expect(sessionOfInstructor(ended.state, 'j', 'as2')).toBeUndefined()
  expect(currentSession(ended.state)?.id).toBe('as1')
})

test("an old session's question is asked and answered while another has the folder", () => {
  const asked: FolderEvent = { type: 'ClarificationAsked', data: { assignment: 'as1', question: 'How late?' } }
  const about = { question: 'How late?', session: 'as1' }
  given(...withJ)
    .when('ask', about)
    .gives(asked)
  given(...withJ)
    .when('ask', { question: 'How late?' })
    .refuses('no-feedback')
  given(...withJ)
    .when('ask', { ...about, session: 'as9' })
    .refuses('no-feedback')
  given(...withJ, asked)
    .when('ask', about)
    .gives()
  // Each session has a question of its own.
  given(...second, asked)
    .when('ask', { question: 'And now?', session: 'as2' })
    .gives({ type: 'ClarificationAsked', data: { assignment: 'as2', question: 'And now?' } })
  const answer = { instructor: 'i', answer: 'Two frames.', session: 'as1' }
  const answered: FolderEvent = { type: 'ClarificationAnswered', data: { assignment: 'as1', answer: 'Two frames.' } }
  given(...second, asked)
    .when('answer', answer)
    .gives(answered)
  given(...second, asked)
    .when('answer', { instructor: 'i', answer: 'Two frames.' })
    .gives(answered)
  given(...second, asked)
    .when('answer', { ...answer, instructor: 'j' })
    .refuses('not-assigned')
  given(...second, asked)
    .when('answer', { instructor: 'j', answer: 'So' })
    .refuses('no-question')
  expect(given(...second, asked, answered).state.sessions.map(s => [s.question, s.answer])).toEqual([
    ['How late?', 'Two frames.'],
    [null, null],
  ])
})

test('who gave feedback before changes nothing of the session that somebody else has', () => {
  const words = { ...review, notes: [{ ...review.notes[0]!, video: 'c' }] }
  const former = given(...withJ)
  former.when('deliver', { instructor: 'i', review: words }).refuses('delivered')
  former.when('deliver', { instructor: 'i', session: 'as2', review: words }).refuses('not-assigned')
  former.when('decline', { instructor: 'i', reason: 'No' }).refuses('delivered')
  former.when('decline', { instructor: 'i', session: 'as2', reason: 'No' }).refuses('not-assigned')
  former.when('startReview', { instructor: 'i' }).gives()
  former.when('startReview', { instructor: 'i', session: 'as2' }).refuses('not-assigned')
  former.when('startReview', { instructor: 'j' }).gives({ type: 'ReviewStarted', data: { assignment: 'as2' } })
  // Notes are on the videos of the session alone.
  former.when('deliver', { instructor: 'j', review }).refuses('note-video', 'notes.0.video')
})

test("a review for a withdrawn assignment does not go to the instructor's next one", () => {
  const again = given(...waiting, { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } }, assigned('as2'))
  again.when('deliver', { instructor: 'i', session: 'as1', review }).refuses('not-assigned')
  again.when('decline', { instructor: 'i', session: 'as1', reason: 'No' }).refuses('not-assigned')
  again.when('startReview', { instructor: 'i', session: 'as2' }).gives({ type: 'ReviewStarted', data: { assignment: 'as2' } })
})

test("a clip that another folder's feedback compares with stays, and can be reassigned", () => {
  const compare = { video: 'a', instructor: 'i', assignment: 'other' }
  const compared: FolderEvent = { type: 'VideoCompared', data: { video: 'a', assignment: 'other' } }
  given(...waiting)
    .when('compare', compare)
    .gives(compared)
  given(...waiting, compared)
    .when('compare', compare)
    .gives()
  given(...waiting)
    .when('compare', { ...compare, instructor: 'someone' })
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  given(...open)
    .when('compare', compare)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  given(...waiting, added('b'))
    .when('compare', { ...compare, video: 'b' })
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  const withdrawn: FolderEvent = { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } }
  const back = [...waiting, compared, withdrawn]
  given(...waiting, withdrawn)
    .when('compare', compare)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  given(...back)
    .when('removeVideo', { video: 'a' })
    .refuses('compared')
  given(...back)
    .when('replaceVideo', { video: 'a', by: video('b'), unseen: true })
    .refuses('compared')
  expect(nextSessionVideos(given(...back, added('b')).state).map(v => v.id)).toEqual(['a', 'b'])
})

test('a review that compares is delivered only with comparable clips', () => {
  const side = { folder: 'f', video: 'a', origin: 3, offset: 0, scale: 1 }
  const sides: [typeof side, typeof side] = [side, { ...side, folder: 'g', video: 'z' }]
  const comparing = { ...review, comparisons: [{ id: 'c1', title: 'June', sides, mode: 'side' as const, stretch: false }] }
  const deliver = { instructor: 'i', review: comparing }
  const comparable = sides.map(({ folder, video }) => ({ folder, video }))
  given(...reviewing)
    .when('deliver', deliver)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  given(...reviewing)
    .when('deliver', { ...deliver, comparable: comparable.slice(0, 1) })
    .refuses('comparison-clip', 'comparisons.0.sides.1')
  given(...reviewing)
    .when('deliver', { ...deliver, comparable })
    .gives({ ...delivered, data: { ...delivered.data, review: comparing } } as FolderEvent)
})

test('a session of two videos without new ones takes both again, and no other videos', () => {
  const two = [
    { id: 'b', bytes: 1000 },
    { id: 'c', bytes: 1000 },
  ]
  const of = (id: string): FolderEvent => ({ ...delivered, data: { ...(delivered.data as object), assignment: id } }) as FolderEvent
  const log = [created, added('a'), assigned(), delivered, paid, added('b'), added('c'), assigned('as2', 'as1', two), of('as2')]
  const { state, when } = given(...log, { type: 'FolderPaid', data: { assignment: 'as2' } })
  expect(nextSessionVideos(state)).toEqual(two)
  const asked = { assignment: 'as3', instructor: 'i', message: null, quote, terms: null, videos: two }
  when('assign', asked).gives({ type: 'FolderAssigned', data: { ...asked, player: 'p', follows: 'as2' } })
  expect(nextSessionVideos(given(created).state)).toEqual([])
})

test('a review is of the videos of its session, all of them and no other', () => {
  const two = [
    { id: 'b', bytes: 1000 },
    { id: 'c', bytes: 1000 },
  ]
  const { when } = given(created, added('a'), assigned(), delivered, paid, added('b'), added('c'), assigned('as2', 'as1', two))
  const about = (...ids: string[]) => ({ ...review, notes: ids.map((id, i) => ({ ...review.notes[0]!, id: `n${i}`, video: id })) })
  when('deliver', { instructor: 'i', review: about('b', 'c') }).gives(
    { type: 'ReviewStarted', data: { assignment: 'as2' } },
    expect.objectContaining({ type: 'FeedbackGiven' }),
  )
  when('deliver', { instructor: 'i', review: about('b', 'a') }).refuses('note-video', 'notes.1.video')
})

test('uploads on their way count as videos, and the sentence says so', () => {
  const f = given(created, added('a')).state
  expect(() => assertRoomForVideo(f, 1)).not.toThrow()
  expect(() => assertRoomForVideo(f, 2)).toThrow('unfinished uploads count')
  expect(() => assertRoomForVideo(given(created, added('a'), added('b'), added('c')).state)).toThrow('Remove one first')
})

test('assigning an assigned or unpaid folder is refused with the actual reason', () => {
  const asked = { assignment: 'as2', instructor: 'i', message: null, quote, terms: null, videos: [{ id: 'a', bytes: 1000 }] }
  for (const events of [[assigned()], [assigned(), started]])
    expect(given(created, added('a'), ...events).when('assign', asked).decide).toThrow('Only one can review it at a time.')
  given(created, added('a'), assigned(), delivered).when('assign', asked).refuses('payment-due')
})

test('whether a folder can be assigned is known without a price', () => {
  const asked = { assignment: 'as1', instructor: 'i', message: 'Look at my hands', videos: [{ id: 'a', bytes: 1000 }] }
  expect(canAssign(given(...open).state, asked)).toBe(true)
  expect(canAssign(given(...waiting).state, asked)).toBe(false)
  expect(refusal(() => canAssign(given(...waiting).state, { ...asked, assignment: 'as2' }))).toEqual({ code: 'assigned' })
  expect(refusal(() => canAssign(given(...open).state, { ...asked, videos: [] }))).toEqual({ code: 'quote-changed' })
})

test('during a session a video may be replaced only if it is unplayable and in use', () => {
  const by = video('c')
  const replace = { video: 'a', by, unseen: true }
  for (const events of [[], [assigned()], [assigned(), started]])
    given(created, added('a'), ...events)
      .when('replaceVideo', replace)
      .gives({ type: 'VideoReplaced', data: { video: 'a', by } })
  given(created, added('a'), assigned(), started)
    .when('replaceVideo', { ...replace, unseen: false })
    .refuses('in-review')
  given(created, added('a'), { type: 'FolderArchived', data: {} }).when('replaceVideo', replace).refuses('archived')
  const other = [assigned('as1', null, [{ id: 'b', bytes: 1000 }]), delivered]
  given(created, added('a'), added('b'), ...other)
    .when('replaceVideo', replace)
    .refuses('payment-due')
  given(created, added('a'), added('c'), { type: 'VideoRemoved', data: { video: 'c' } })
    .when('replaceVideo', replace)
    .refuses('removed')
  given(created).when('replaceVideo', replace).refuses('no-video')
  given(created, added('a'), assigned(), delivered).when('replaceVideo', replace).refuses('reviewed')
})

test('a rate is set for a video of a folder that there is', () => {
  const rate = { video: 'a', rate: 240, by: 'p' }
  given().when('setCaptureRate', rate).refuses('no-folder')
  given(created).when('setCaptureRate', rate).refuses('no-video')
})

test('feedback bills every video, except unplayable ones that it names among several', () => {
  const two = [
    { id: 'a', bytes: 1000 },
    { id: 'b', bytes: 500 },
  ]
  const log = [created, added('a'), added('b'), assigned('as1', null, two), started]
  const billed = (unseen?: string[]) => {
    const [event] = given(...log)
      .when('deliver', { instructor: 'i', review, ...(unseen && { unseen }) })
      .decide()
    return (event as Extract<FolderEvent, { type: 'FeedbackGiven' }>).data.billable
  }
  expect([billed(), billed(['b'])]).toEqual([
    { videos: 2, bytes: 1500, notes: 1 },
    { videos: 1, bytes: 1000, notes: 1 },
  ])
  given(...log)
    .when('deliver', { instructor: 'i', review, unseen: ['a', 'b'] })
    .refuses('unseen')
})
