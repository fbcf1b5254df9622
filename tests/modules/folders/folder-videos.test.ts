import { expect, test } from 'vitest'
import { assertRoomForVideo, type FolderEvent, nextSessionVideos } from '../../../modules/folders/folder.ts'
import {
  assignedFolderEvents,
  feedbackGiven,
  folderArchived,
  folderAssigned,
  folderCreated,
  givenFolderEvents,
  paidFolderEvents,
  reviewingFolderEvents,
  reviewStarted,
  testVideo,
  unassignedFolderEvents,
  unpaidFolderEvents,
  videoAdded,
} from './sample-folder-events.ts'

test('removing one of three videos keeps the other two', () => {
  const three = givenFolderEvents(...unassignedFolderEvents, videoAdded('b'), videoAdded('c'))
  for (const id of ['a', 'b', 'c']) three.when('removeVideo', { video: id }).gives({ type: 'VideoRemoved', data: { video: id } })
  const { state } = givenFolderEvents(...unassignedFolderEvents, videoAdded('b'), videoAdded('c'), {
    type: 'VideoRemoved',
    data: { video: 'b' },
  })
  expect(state.videos.map(v => v.id)).toEqual(['a', 'c'])
  expect(nextSessionVideos(state).map(v => v.id)).toEqual(['a', 'c'])
})

test('a session has at most three videos', () => {
  givenFolderEvents(folderCreated)
    .when('addVideo', { video: testVideo('a') })
    .gives(videoAdded('a'))
  givenFolderEvents(...unassignedFolderEvents, videoAdded('b'))
    .when('addVideo', { video: testVideo('c') })
    .gives(videoAdded('c'))
  givenFolderEvents(...unassignedFolderEvents, videoAdded('b'), videoAdded('c'))
    .when('addVideo', { video: testVideo('d') })
    .refuses('too-many-videos')
})

test('adding a video again changes nothing and does not restore a removed one', () => {
  givenFolderEvents(...unassignedFolderEvents)
    .when('addVideo', { video: testVideo('a') })
    .gives()
  givenFolderEvents(...assignedFolderEvents)
    .when('addVideo', { video: testVideo('a') })
    .gives()
  givenFolderEvents(...unassignedFolderEvents, { type: 'VideoRemoved', data: { video: 'a' } })
    .when('addVideo', { video: testVideo('a') })
    .refuses('removed')
})

test('videos cannot be changed between assignment and payment', () => {
  for (const [events, code] of [
    [assignedFolderEvents, 'assigned'],
    [reviewingFolderEvents, 'in-review'],
    [unpaidFolderEvents, 'payment-due'],
    [[...unassignedFolderEvents, folderArchived], 'archived'],
  ] as const) {
    givenFolderEvents(...events)
      .when('addVideo', { video: testVideo('b') })
      .refuses(code)
    givenFolderEvents(...events)
      .when('removeVideo', { video: 'a' })
      .refuses(code)
  }
})

test('a video is removed only once, and not after it has feedback', () => {
  const removed: FolderEvent = { type: 'VideoRemoved', data: { video: 'a' } }
  givenFolderEvents(...unassignedFolderEvents)
    .when('removeVideo', { video: 'a' })
    .gives(removed)
  givenFolderEvents(...unassignedFolderEvents, removed)
    .when('removeVideo', { video: 'a' })
    .gives()
  givenFolderEvents(...unassignedFolderEvents)
    .when('removeVideo', { video: 'x' })
    .refuses('no-video')
  givenFolderEvents(...paidFolderEvents)
    .when('removeVideo', { video: 'a' })
    .refuses('reviewed')
})

test("a clip that another folder's feedback compares stays, and can be assigned again", () => {
  const compare = { video: 'a', instructor: 'i', assignment: 'other' }
  const compared: FolderEvent = { type: 'VideoCompared', data: { video: 'a', assignment: 'other' } }
  givenFolderEvents(...assignedFolderEvents)
    .when('compare', compare)
    .gives(compared)
  givenFolderEvents(...assignedFolderEvents, compared)
    .when('compare', compare)
    .gives()
  givenFolderEvents(...assignedFolderEvents)
    .when('compare', { ...compare, instructor: 'someone' })
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolderEvents(...unassignedFolderEvents)
    .when('compare', compare)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolderEvents(...assignedFolderEvents, videoAdded('b'))
    .when('compare', { ...compare, video: 'b' })
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  const withdrawn: FolderEvent = { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } }
  const back = [...assignedFolderEvents, compared, withdrawn]
  givenFolderEvents(...assignedFolderEvents, withdrawn)
    .when('compare', compare)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolderEvents(...back)
    .when('removeVideo', { video: 'a' })
    .refuses('compared')
  givenFolderEvents(...back)
    .when('replaceVideo', { video: 'a', by: testVideo('b'), isRefused: true })
    .refuses('compared')
  expect(nextSessionVideos(givenFolderEvents(...back, videoAdded('b')).state).map(v => v.id)).toEqual(['a', 'b'])
})

test('pending uploads count as videos, and the refusal mentions them', () => {
  const f = givenFolderEvents(folderCreated, videoAdded('a')).state
  expect(() => assertRoomForVideo(f, 1)).not.toThrow()
  expect(() => assertRoomForVideo(f, 2)).toThrow('including unfinished uploads')
  expect(() => assertRoomForVideo(givenFolderEvents(folderCreated, videoAdded('a'), videoAdded('b'), videoAdded('c')).state)).toThrow(
    'Remove one first',
  )
})

test('during a session only an unplayable video can be replaced', () => {
  const by = testVideo('c')
  const replace = { video: 'a', by, isRefused: true }
  for (const events of [[], [folderAssigned()], [folderAssigned(), reviewStarted]])
    givenFolderEvents(folderCreated, videoAdded('a'), ...events)
      .when('replaceVideo', replace)
      .gives({ type: 'VideoReplaced', data: { video: 'a', by } })
  givenFolderEvents(folderCreated, videoAdded('a'), folderAssigned(), reviewStarted)
    .when('replaceVideo', { ...replace, isRefused: false })
    .refuses('in-review')
})

test('no video is replaced if missing or reviewed, or in an archived or unpaid folder', () => {
  const replace = { video: 'a', by: testVideo('c'), isRefused: true }
  givenFolderEvents(folderCreated, videoAdded('a'), { type: 'FolderArchived', data: {} }).when('replaceVideo', replace).refuses('archived')
  const other = [folderAssigned('as1', null, [{ id: 'b', bytes: 1000 }]), feedbackGiven]
  givenFolderEvents(folderCreated, videoAdded('a'), videoAdded('b'), ...other)
    .when('replaceVideo', replace)
    .refuses('payment-due')
  givenFolderEvents(folderCreated, videoAdded('a'), videoAdded('c'), { type: 'VideoRemoved', data: { video: 'c' } })
    .when('replaceVideo', replace)
    .refuses('removed')
  givenFolderEvents(folderCreated).when('replaceVideo', replace).refuses('no-video')
  givenFolderEvents(folderCreated, videoAdded('a'), folderAssigned(), feedbackGiven).when('replaceVideo', replace).refuses('reviewed')
})

test('a capture rate for an unknown folder or video is refused', () => {
  const rate = { video: 'a', rate: 240, by: 'p' }
  givenFolderEvents().when('setCaptureRate', rate).refuses('no-folder')
  givenFolderEvents(folderCreated).when('setCaptureRate', rate).refuses('no-video')
})
