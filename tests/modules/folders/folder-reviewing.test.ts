import { expect, test } from 'vitest'
import type { Review } from '../../../modules/folders/contract.ts'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import {
  assignedFolderEvents,
  feedbackGiven,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolderEvents,
  paidFolderEvents,
  reviewingFolderEvents,
  reviewStarted,
  testReview,
  testVideo,
  unassignedFolderEvents,
  unpaidFolderEvents,
  videoAdded,
} from './sample-folder-events.ts'

test('a review is started once', () => {
  givenFolderEvents(...assignedFolderEvents)
    .when('startReview', { instructor: 'i' })
    .gives(reviewStarted)
  givenFolderEvents(...reviewingFolderEvents)
    .when('startReview', { instructor: 'i' })
    .gives()
  givenFolderEvents(...unpaidFolderEvents)
    .when('startReview', { instructor: 'i' })
    .gives()
  givenFolderEvents(...assignedFolderEvents)
    .when('startReview', { instructor: 'j' })
    .refuses('not-assigned')
  givenFolderEvents(...unassignedFolderEvents)
    .when('startReview', { instructor: 'i' })
    .refuses('not-assigned')
})

test('a delivery records what is billable, and starts a review that has not started', () => {
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: testReview })
    .gives(feedbackGiven)
  givenFolderEvents(...assignedFolderEvents)
    .when('deliver', { instructor: 'i', review: testReview })
    .gives(reviewStarted, feedbackGiven)
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { instructor: 'j', review: testReview })
    .refuses('not-assigned')
})

test('delivering the same review again changes nothing; a different one is refused', () => {
  givenFolderEvents(...unpaidFolderEvents)
    .when('deliver', { instructor: 'i', review: structuredClone(testReview) })
    .gives()
  givenFolderEvents(...paidFolderEvents)
    .when('deliver', { instructor: 'i', review: testReview })
    .gives()
  givenFolderEvents(...unpaidFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, summary: 'Better.' } })
    .refuses('delivered')
})

test('a note must be on a video of the folder, but may be past its reported duration', () => {
  const note = testReview.notes[0]!
  const deliver = (change: object) =>
    givenFolderEvents(...reviewingFolderEvents).when('deliver', {
      instructor: 'i',
      review: { ...testReview, notes: [note, { ...note, ...change }] },
    })
  deliver({ video: 'x' }).refuses('note-video', 'notes.1.video')
  const unmeasured: FolderEvent = { type: 'VideoAdded', data: { video: testVideo('a', { milliseconds: 0 }) } }
  const pastTheLength = { ...testReview, notes: [{ ...note, at: 4001 }] }
  for (const events of [reviewingFolderEvents, [folderCreated, unmeasured, folderAssigned(), reviewStarted]]) {
    expect(
      givenFolderEvents(...events)
        .when('deliver', { instructor: 'i', review: pastTheLength })
        .decide(),
    ).toHaveLength(1)
  }
})

test('a note must be on an existing frame once the frames are counted', () => {
  const noted = (frame: number) => ({ ...testReview, notes: [{ ...testReview.notes[0]!, frame }] })
  const deliver = (frame: number, frames: Record<string, number>) =>
    givenFolderEvents(...reviewingFolderEvents).when('deliver', { instructor: 'i', review: noted(frame), frames })
  const { video } = testReview.notes[0]!
  deliver(60, { [video]: 60 }).refuses('note-time', 'notes.0.frame')
  for (const frames of [{ [video]: 61 }, {}, { another: 60 }]) {
    expect(deliver(60, frames).decide()).toHaveLength(1)
  }
})

test('a review has at most one grade for each skill', () => {
  const grades: Review['grades'] = [
    { skill: 'hitting', grade: 55 },
    { skill: 'pitching', grade: 55 },
    { skill: 'fielding', grade: 40 },
  ]
  const { data } = feedbackGiven as Extract<FolderEvent, { type: 'FeedbackGiven' }>
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, grades } })
    .gives({ type: 'FeedbackGiven', data: { ...data, review: { ...testReview, grades } } })
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, grades: [...grades, { skill: 'pitching', grade: 60 }] } })
    .refuses('grade-twice', 'grades.3')
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, grades: [...testReview.grades, { skill: 'hitting', grade: 60 }] } })
    .refuses('grade-twice', 'grades.1')
})

test('a goal continues an earlier one of the same instructor and player, once at most', () => {
  const goals = [
    { id: 'h1', text: 'Stay back', state: 'given' as const },
    { id: 'h2', text: 'Knee', from: 'g2', state: 'tried' as const },
    { id: 'h3', text: 'Hips', from: 'g3', state: 'fixed' as const },
  ]
  const deliver = (more: object) =>
    givenFolderEvents(...reviewingFolderEvents).when('deliver', { instructor: 'i', review: { ...testReview, goals }, ...more })
  deliver({}).refuses('goal-from', 'goals.1.from')
  deliver({ goals: ['g2'] }).refuses('goal-from', 'goals.2.from')
  const { data } = feedbackGiven as Extract<FolderEvent, { type: 'FeedbackGiven' }>
  deliver({ goals: ['g1', 'g2', 'g3'] }).gives({ type: 'FeedbackGiven', data: { ...data, review: { ...testReview, goals } } })
  const twice = { ...testReview, goals: [...goals, { ...goals[1]!, id: 'h4' }] }
  deliver({ goals: ['g2', 'g3'], review: twice }).refuses('goal-twice', 'goals.3.from')
})

test('a review with comparisons is delivered only if its clips are comparable', () => {
  const side = { folder: 'f', video: 'a', origin: 3, offset: 0, scale: 1 }
  const sides: [typeof side, typeof side] = [side, { ...side, folder: 'g', video: 'z' }]
  const comparing = { ...testReview, comparisons: [{ id: 'c1', title: 'June', sides, mode: 'side' as const, stretch: false }] }
  const deliver = { instructor: 'i', review: comparing }
  const comparable = sides.map(({ folder, video }) => ({ folder, video }))
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', deliver)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { ...deliver, comparable: comparable.slice(0, 1) })
    .refuses('comparison-clip', 'comparisons.0.sides.1')
  givenFolderEvents(...reviewingFolderEvents)
    .when('deliver', { ...deliver, comparable })
    .gives({ ...feedbackGiven, data: { ...feedbackGiven.data, review: comparing } } as FolderEvent)
})

test('a review has notes only on the videos of its session', () => {
  const two = [
    { id: 'b', bytes: 1000 },
    { id: 'c', bytes: 1000 },
  ]
  const { when } = givenFolderEvents(
    folderCreated,
    videoAdded('a'),
    folderAssigned(),
    feedbackGiven,
    folderPaid,
    videoAdded('b'),
    videoAdded('c'),
    folderAssigned('as2', 'as1', two),
  )
  const about = (...ids: string[]) => ({
    ...testReview,
    notes: ids.map((id, i) => ({ ...testReview.notes[0]!, id: `n${i}`, video: id })),
  })
  when('deliver', { instructor: 'i', review: about('b', 'c') }).gives(
    { type: 'ReviewStarted', data: { assignment: 'as2' } },
    expect.objectContaining({ type: 'FeedbackGiven' }),
  )
  when('deliver', { instructor: 'i', review: about('b', 'a') }).refuses('note-video', 'notes.1.video')
})

test('feedback bills every video except the unplayable ones that it names', () => {
  const two = [
    { id: 'a', bytes: 1000 },
    { id: 'b', bytes: 500 },
  ]
  const log = [folderCreated, videoAdded('a'), videoAdded('b'), folderAssigned('as1', null, two), reviewStarted]
  const billed = (refusedVideos?: string[]) => {
    const [event] = givenFolderEvents(...log)
      .when('deliver', { instructor: 'i', review: testReview, ...(refusedVideos && { refusedVideos }) })
      .decide()
    return (event as Extract<FolderEvent, { type: 'FeedbackGiven' }>).data.billable
  }
  expect([billed(), billed(['b'])]).toEqual([
    { videos: 2, bytes: 1500, notes: 1 },
    { videos: 1, bytes: 1000, notes: 1 },
  ])
  givenFolderEvents(...log)
    .when('deliver', { instructor: 'i', review: testReview, refusedVideos: ['a', 'b'] })
    .refuses('unseen')
})
