import { expect, test } from 'vitest'
import { type FolderEvent, folderDecider, type StoredVideo } from '../../../modules/folders/folder.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

const video = (id: string, bytes = 1000): StoredVideo => ({
  id,
  name: `${id}.mov`,
  type: 'video/quicktime',
  bytes,
  milliseconds: 3000,
  width: 1920,
  height: 1080,
  key: `videos/f/${id}`,
  poster: null,
})
const { given } = deciderSpec(folderDecider)
const open: FolderEvent[] = [
  { type: 'FolderCreated', data: { player: 'p', name: 'Swings' } },
  { type: 'VideoAdded', data: { video: video('a') } },
  { type: 'VideoAdded', data: { video: video('b', 500) } },
]
const terms = { credit: false, referral: false, points: 0 }
const assigned: FolderEvent = {
  type: 'FolderAssigned',
  data: {
    assignment: 'as1',
    player: 'p',
    instructor: 'i',
    message: null,
    quote: { items: [], total: 1600, atMost: 2500 },
    terms,
    follows: null,
    videos: [
      { id: 'a', bytes: 1000 },
      { id: 'b', bytes: 500 },
    ],
  },
}
const review = { notes: [], summary: 'Good.', grades: [] }
const delivery = (refusedVideos: string[], ...events: FolderEvent[]) =>
  given(...open, assigned, ...events).when('deliver', { instructor: 'i', review, refusedVideos })
const billable = (refusedVideos: string[], ...events: FolderEvent[]) => {
  const last = delivery(refusedVideos, ...events)
    .decide()
    .at(-1)
  return (last as Extract<FolderEvent, { type: 'FeedbackGiven' }>).data.billable
}

test('an unplayable video is free; a folder with only such videos gets no feedback', () => {
  expect(billable([])).toEqual({ videos: 2, bytes: 1500, notes: 0 })
  expect(billable(['a'])).toEqual({ videos: 1, bytes: 500, notes: 0 })
  delivery(['a', 'b']).refuses('unseen')
})

test('a video that is not prepared yet is free; one that can be watched is needed', () => {
  const without = (refusedVideos: string[], unpreparedVideos: string[]) =>
    given(...open, assigned).when('deliver', { instructor: 'i', review, refusedVideos, unpreparedVideos })
  without([], ['b']).givesLike({ type: 'ReviewStarted' }, { data: { billable: { videos: 1, bytes: 1000, notes: 0 } } })
  without([], ['a', 'b']).refuses('unprepared')
  without(['a'], ['b']).refuses('unprepared')
})

test('an unplayable video can be replaced during a session without a higher price', () => {
  const replaced: FolderEvent = { type: 'VideoReplaced', data: { video: 'a', by: video('c', 90_000_000) } }
  const command = { video: 'a', by: video('c', 90_000_000), isRefused: true }
  const with_ = given(...open, assigned)
  with_.when('replaceVideo', command).gives(replaced)
  with_.when('replaceVideo', { ...command, isRefused: false }).refuses('assigned')
  with_.when('replaceVideo', { ...command, video: 'z' }).refuses('no-video')
  const after = given(...open, assigned, replaced)
  expect(after.state.videos.map((v: StoredVideo) => v.id)).toEqual(['c', 'b'])
  // Repeating the command writes nothing, and the replaced video does not come back.
  after.when('replaceVideo', command).gives()
  given(...open, replaced)
    .when('addVideo', { video: video('a') })
    .refuses('removed')
  expect(billable([], replaced)).toEqual({ videos: 2, bytes: 1500, notes: 0 })
  // A smaller file makes the session cheaper.
  expect(billable([], { type: 'VideoReplaced', data: { video: 'a', by: video('c', 10) } }).bytes).toBe(510)
})

test('before the assignment, any video without feedback can be replaced', () => {
  const command = { video: 'a', by: video('c'), isRefused: false }
  given(...open)
    .when('replaceVideo', command)
    .givesLike({ type: 'VideoReplaced' })
  const delivered: FolderEvent = {
    type: 'FeedbackGiven',
    data: { assignment: 'as1', player: 'p', instructor: 'i', review, billable: { videos: 2, bytes: 1500, notes: 0 }, terms },
  }
  given(...open, assigned, delivered)
    .when('replaceVideo', { ...command, isRefused: true })
    .refuses('reviewed')
})

test('a person sets the capture rate of a video, and each rate is recorded once', () => {
  const set: FolderEvent = { type: 'CaptureRateSet', data: { video: 'a', rate: 240, by: 'p' } }
  given(...open)
    .when('setCaptureRate', { video: 'a', rate: 240, by: 'p' })
    .gives(set)
  given(...open, set)
    .when('setCaptureRate', { video: 'a', rate: 240, by: 'i' })
    .gives()
  given(...open, set)
    .when('setCaptureRate', { video: 'a', rate: 120, by: 'i' })
    .givesLike({ data: { rate: 120 } })
  given(...open)
    .when('setCaptureRate', { video: 'z', rate: 240, by: 'p' })
    .refuses('no-video')
})
