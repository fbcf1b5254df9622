import { expect, test } from 'vitest'
import { type FolderEvent, folder, type StoredVideo } from '../../../modules/folders/folder.ts'
import type { Refused } from '../../../modules/kernel/store.ts'

const video = (id: string, bytes = 1000): StoredVideo => ({
  ...{
    id,
    name: `${id}.mov`,
    type: 'video/quicktime',
    bytes,
    milliseconds: 3000,
    width: 1920,
    height: 1080,
    key: `videos/f/${id}`,
    poster: null,
  },
})
const fold = (...events: FolderEvent[]) =>
  // biome-ignore lint/suspicious/noExplicitAny: each event goes to its own handler
  events.reduce((state, e) => (folder.evolve as any)[e.type](state, e.data), folder.initial)
const code = (run: () => unknown) => {
  try {
    return run()
  } catch (error) {
    return (error as Refused).code
  }
}
const open: FolderEvent[] = [
  { type: 'FolderCreated', data: { player: 'p', name: 'Swings' } },
  { type: 'VideoAdded', data: { video: video('a') } },
  { type: 'VideoAdded', data: { video: video('b', 500) } },
]
const terms = { credit: false, referral: false, points: 0 }
const assigned: FolderEvent = {
  type: 'FolderAssigned',
  data: {
    ...{
      assignment: 'as1',
      player: 'p',
      instructor: 'i',
      message: null,
      quote: { items: [], total: 1600, atMost: 2500 },
      terms,
      follows: null,
    },
    videos: [
      { id: 'a', bytes: 1000 },
      { id: 'b', bytes: 500 },
    ],
  },
}
const review = { notes: [], summary: 'Good.', grades: [] }
const billable = (unseen: string[], ...events: FolderEvent[]) => {
  const given = [folder.decide.deliver(fold(...open, assigned, ...events), { instructor: 'i', review, unseen })].flat().at(-1) as Extract<
    FolderEvent,
    { type: 'FeedbackGiven' }
  >
  return given.data.billable
}

test('an unplayable video is not billed, and a folder of only those gets no feedback', () => {
  expect(billable([])).toEqual({ videos: 2, bytes: 1500, notes: 0 })
  expect(billable(['a'])).toEqual({ videos: 1, bytes: 500, notes: 0 })
  expect(code(() => billable(['a', 'b']))).toBe('unseen')
})

test('an unplayable video can be replaced during a session, at no higher price', () => {
  const replaced: FolderEvent = { type: 'VideoReplaced', data: { video: 'a', by: video('c', 90_000_000) } }
  const command = { video: 'a', by: video('c', 90_000_000), unseen: true }
  const with_ = fold(...open, assigned)
  expect(folder.decide.replaceVideo(with_, command)).toEqual(replaced)
  expect(code(() => folder.decide.replaceVideo(with_, { ...command, unseen: false }))).toBe('assigned')
  expect(code(() => folder.decide.replaceVideo(with_, { ...command, video: 'z' }))).toBe('no-video')
  const after = fold(...open, assigned, replaced)
  expect(after.videos.map((v: StoredVideo) => v.id)).toEqual(['c', 'b'])
  // Again is nothing new; what it replaced does not come back.
  expect(folder.decide.replaceVideo(after, command)).toEqual([])
  expect(code(() => folder.decide.addVideo(fold(...open, replaced), { video: video('a') }))).toBe('removed')
  expect(billable([], replaced)).toEqual({ videos: 2, bytes: 1500, notes: 0 })
  // A shorter one costs less.
  expect(billable([], { type: 'VideoReplaced', data: { video: 'a', by: video('c', 10) } }).bytes).toBe(510)
})

test('before it is assigned any video may be replaced, but one with feedback on it', () => {
  const command = { video: 'a', by: video('c'), unseen: false }
  expect(folder.decide.replaceVideo(fold(...open), command)).toMatchObject({ type: 'VideoReplaced' })
  const given: FolderEvent = {
    type: 'FeedbackGiven',
    data: { assignment: 'as1', player: 'p', instructor: 'i', review, billable: { videos: 2, bytes: 1500, notes: 0 }, terms },
  }
  expect(code(() => folder.decide.replaceVideo(fold(...open, assigned, given), { ...command, unseen: true }))).toBe('reviewed')
})

test('the rate at which a video was captured is set by a person, once for each rate', () => {
  const set: FolderEvent = { type: 'CaptureRateSet', data: { video: 'a', rate: 240, by: 'p' } }
  expect(folder.decide.setCaptureRate(fold(...open), { video: 'a', rate: 240, by: 'p' })).toEqual(set)
  expect(folder.decide.setCaptureRate(fold(...open, set), { video: 'a', rate: 240, by: 'i' })).toEqual([])
  expect(folder.decide.setCaptureRate(fold(...open, set), { video: 'a', rate: 120, by: 'i' })).toMatchObject({ data: { rate: 120 } })
  expect(code(() => folder.decide.setCaptureRate(fold(...open), { video: 'z', rate: 240, by: 'p' }))).toBe('no-video')
})
