import { expect, test } from 'vitest'
import { assertRoomForVideo, type FolderEvent, nextSessionVideos } from '../../../modules/folders/folder.ts'
import {
  assignedFolderEvents,
  feedbackGiven,
  folderArchived,
  folderAssigned,
  folderCreated,
  givenFolder,
  paidFolderEvents,
  reviewingFolderEvents,
  reviewStarted,
  testVideo,
  unassignedFolderEvents,
  unpaidFolderEvents,
  videoAdded,
} from './sample-folder-events.ts'

test('removing one of three videos keeps the other two', () => {
  const three = givenFolder(...unassignedFolderEvents, videoAdded('b'), videoAdded('c'))
  for (const id of ['a', 'b', 'c']) three.when('removeVideo', { video: id }).gives({ type: 'VideoRemoved', data: { video: id } })
  const { state } = givenFolder(...unassignedFolderEvents, videoAdded('b'), videoAdded('c'), { type: 'VideoRemoved', data: { video: 'b' } })
  expect(state.videos.map(v => v.id)).toEqual(['a', 'c'])
  expect(nextSessionVideos(state).map(v => v.id)).toEqual(['a', 'c'])
})

test('a session has at most three videos', () => {
  givenFolder(folderCreated)
    .when('addVideo', { video: testVideo('a') })
    .gives(videoAdded('a'))
  givenFolder(...unassignedFolderEvents, videoAdded('b'))
    .when('addVideo', { video: testVideo('c') })
    .gives(videoAdded('c'))
  givenFolder(...unassignedFolderEvents, videoAdded('b'), videoAdded('c'))
    .when('addVideo', { video: testVideo('d') })
    .refuses('too-many-videos')
})

test('adding a video again changes nothing and does not restore a removed one', () => {
  givenFolder(...unassignedFolderEvents)
    .when('addVideo', { video: testVideo('a') })
    .gives()
  givenFolder(...assignedFolderEvents)
    .when('addVideo', { video: testVideo('a') })
    .gives()
  givenFolder(...unassignedFolderEvents, { type: 'VideoRemoved', data: { video: 'a' } })
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
    givenFolder(...events)
      .when('addVideo', { video: testVideo('b') })
      .refuses(code)
    givenFolder(...events)
      .when('removeVideo', { video: 'a' })
      .refuses(code)
  }
})

test('a video is removed only once, and not after it has feedback', () => {
  const removed: FolderEvent = { type: 'VideoRemoved', data: { video: 'a' } }
  givenFolder(...unassignedFolderEvents)
    .when('removeVideo', { video: 'a' })
    .gives(removed)
  givenFolder(...unassignedFolderEvents, removed)
    .when('removeVideo', { video: 'a' })
    .gives()
  givenFolder(...unassignedFolderEvents)
    .when('removeVideo', { video: 'x' })
    .refuses('no-video')
  givenFolder(...paidFolderEvents)
    .when('removeVideo', { video: 'a' })
    .refuses('reviewed')
})

test("a clip that another folder's feedback compares stays, and can be assigned again", () => {
  const compare = { video: 'a', instructor: 'i', assignment: 'other' }
  const compared: FolderEvent = { type: 'VideoCompared', data: { video: 'a', assignment: 'other' } }
  givenFolder(...assignedFolderEvents)
    .when('compare', compare)
    .gives(compared)
  givenFolder(...assignedFolderEvents, compared)
    .when('compare', compare)
    .gives()
  givenFolder(...assignedFolderEvents)
    .when('compare', { ...compare, instructor: 'someone' })
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolder(...unassignedFolderEvents)
    .when('compare', compare)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolder(...assignedFolderEvents, videoAdded('b'))
    .when('compare', { ...compare, video: 'b' })
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  const withdrawn: FolderEvent = { type: 'AssignmentWithdrawn', data: { assignment: 'as1' } }
  const back = [...assignedFolderEvents, compared, withdrawn]
  givenFolder(...assignedFolderEvents, withdrawn)
    .when('compare', compare)
    .refuses('comparison-clip', 'comparisons.0.sides.0')
  givenFolder(...back)
    .when('removeVideo', { video: 'a' })
    .refuses('compared')
  givenFolder(...back)
    .when('replaceVideo', { video: 'a', by: testVideo('b'), isRefused: true })
    .refuses('compared')
  expect(nextSessionVideos(givenFolder(...back, videoAdded('b')).state).map(v => v.id)).toEqual(['a', 'b'])
})

test('pending uploads count as videos, and the refusal mentions them', () => {
  const f = givenFolder(folderCreated, videoAdded('a')).state
  expect(() => assertRoomForVideo(f, 1)).not.toThrow()
  expect(() => assertRoomForVideo(f, 2)).toThrow('including unfinished uploads')
  expect(() => assertRoomForVideo(givenFolder(folderCreated, videoAdded('a'), videoAdded('b'), videoAdded('c')).state)).toThrow(
    'Remove one first',
  )
})

test('during a session only an unplayable video can be replaced', () => {
  const by = testVideo('c')
  const replace = { video: 'a', by, isRefused: true }
  for (const events of [[], [folderAssigned()], [folderAssigned(), reviewStarted]])
    givenFolder(folderCreated, videoAdded('a'), ...events)
      .when('replaceVideo', replace)
      .gives({ type: 'VideoReplaced', data: { video: 'a', by } })
  givenFolder(folderCreated, videoAdded('a'), folderAssigned(), reviewStarted)
    .when('replaceVideo', { ...replace, isRefused: false })
    .refuses('in-review')
})

test('no video is replaced if missing or reviewed, or in an archived or unpaid folder', () => {
  const replace = { video: 'a', by: testVideo('c'), isRefused: true }
  givenFolder(folderCreated, videoAdded('a'), { type: 'FolderArchived', data: {} }).when('replaceVideo', replace).refuses('archived')
  const other = [folderAssigned('as1', null, [{ id: 'b', bytes: 1000 }]), feedbackGiven]
  givenFolder(folderCreated, videoAdded('a'), videoAdded('b'), ...other)
    .when('replaceVideo', replace)
    .refuses('payment-due')
  givenFolder(folderCreated, videoAdded('a'), videoAdded('c'), { type: 'VideoRemoved', data: { video: 'c' } })
    .when('replaceVideo', replace)
    .refuses('removed')
  givenFolder(folderCreated).when('replaceVideo', replace).refuses('no-video')
  givenFolder(folderCreated, videoAdded('a'), folderAssigned(), feedbackGiven).when('replaceVideo', replace).refuses('reviewed')
})

test('a capture rate for an unknown folder or video is refused', () => {
  const rate = { video: 'a', rate: 240, by: 'p' }
  givenFolder().when('setCaptureRate', rate).refuses('no-folder')
  givenFolder(folderCreated).when('setCaptureRate', rate).refuses('no-video')
})
