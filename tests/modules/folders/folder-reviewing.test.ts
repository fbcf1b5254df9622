import { expect, test } from 'vitest'
import type { Review } from '../../../modules/folders/contract.ts'
import type { FolderEvent } from '../../../modules/folders/folder.ts'
import {
  assignedFolderEvents,
  feedbackGiven,
  folderAssigned,
  folderCreated,
  folderPaid,
  givenFolder,
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
  givenFolder(...assignedFolderEvents)
    .when('startReview', { instructor: 'i' })
    .gives(reviewStarted)
  givenFolder(...reviewingFolderEvents)
    .when('startReview', { instructor: 'i' })
    .gives()
  givenFolder(...unpaidFolderEvents)
    .when('startReview', { instructor: 'i' })
    .gives()
  givenFolder(...assignedFolderEvents)
    .when('startReview', { instructor: 'j' })
    .refuses('not-assigned')
  givenFolder(...unassignedFolderEvents)
    .when('startReview', { instructor: 'i' })
    .refuses('not-assigned')
})

test('a delivery records what is billable, and starts a review that has not started', () => {
  givenFolder(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: testReview })
    .gives(feedbackGiven)
  givenFolder(...assignedFolderEvents)
    .when('deliver', { instructor: 'i', review: testReview })
    .gives(reviewStarted, feedbackGiven)
  givenFolder(...reviewingFolderEvents)
    .when('deliver', { instructor: 'j', review: testReview })
    .refuses('not-assigned')
})

test('delivering the same review again changes nothing; a different one is refused', () => {
  givenFolder(...unpaidFolderEvents)
    .when('deliver', { instructor: 'i', review: structuredClone(testReview) })
    .gives()
  givenFolder(...paidFolderEvents)
    .when('deliver', { instructor: 'i', review: testReview })
    .gives()
  givenFolder(...unpaidFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, summary: 'Better.' } })
    .refuses('delivered')
})

test("a note must be on a video of the folder, but may lie past the browser's duration", () => {
  const note = testReview.notes[0]!
  const deliver = (change: object) =>
    givenFolder(...reviewingFolderEvents).when('deliver', {
      instructor: 'i',
      review: { ...testReview, notes: [note, { ...note, ...change }] },
    })
  deliver({ video: 'x' }).refuses('note-video', 'notes.1.video')
  const unmeasured: FolderEvent = { type: 'VideoAdded', data: { video: testVideo('a', { milliseconds: 0 }) } }
  const pastTheLength = { ...testReview, notes: [{ ...note, at: 4001 }] }
  for (const events of [reviewingFolderEvents, [folderCreated, unmeasured, folderAssigned(), reviewStarted]]) {
    expect(
      givenFolder(...events)
        .when('deliver', { instructor: 'i', review: pastTheLength })
        .decide(),
    ).toHaveLength(1)
  }
})

test('a note must be on an existing frame once the frames are counted', () => {
  const noted = (frame: number) => ({ ...testReview, notes: [{ ...testReview.notes[0]!, frame }] })
  const deliver = (frame: number, frames: Record<string, number>) =>
    givenFolder(...reviewingFolderEvents).when('deliver', { instructor: 'i', review: noted(frame), frames })
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
  givenFolder(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, grades } })
    .gives({ type: 'FeedbackGiven', data: { ...data, review: { ...testReview, grades } } })
  givenFolder(...reviewingFolderEvents)
    .when('deliver', { instructor: 'i', review: { ...testReview, grades: [...grades, { skill: 'pitching', grade: 60 }] } })
    .refuses('grade-twice', 'grades.3')
  givenFolder(...reviewingFolderEvents)
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
    givenFolder(...reviewingFolderEvents).when('deliver', { instructor: 'i', review: { ...testReview, goals }, ...more })
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
  givenFolder(...reviewingFolderEvents)
    .when('deliver', deliver)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolder(...reviewingFolderEvents)
    .when('deliver', { ...deliver, comparable: comparable.slice(0, 1) })
    .refuses('comparison-clip', 'comparisons.0.sides.1')
  givenFolder(...reviewingFolderEvents)
    .when('deliver', { ...deliver, comparable })
    .gives({ ...feedbackGiven, data: { ...feedbackGiven.data, review: comparing } } as FolderEvent)
})

test('a review has notes only on the videos of its session', () => {
  const two = [
    { id: 'b', bytes: 1000 },
    { id: 'c', bytes: 1000 },
  ]
  const { when } = givenFolder(
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
    const [event] = givenFolder(...log)
      .when('deliver', { instructor: 'i', review: testReview, ...(refusedVideos && { refusedVideos }) })
      .decide()
    return (event as Extract<FolderEvent, { type: 'FeedbackGiven' }>).data.billable
  }
  expect([billed(), billed(['b'])]).toEqual([
    { videos: 2, bytes: 1500, notes: 1 },
    { videos: 1, bytes: 1000, notes: 1 },
  ])
  givenFolder(...log)
    .when('deliver', { instructor: 'i', review: testReview, refusedVideos: ['a', 'b'] })
    .refuses('unseen')
})
