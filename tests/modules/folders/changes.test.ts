import { expect, test } from 'vitest'
import { type FolderEvent, folder, type StoredVideo } from '../../../modules/folders/folder.ts'
import { MAX_CAPTURE_RATES_PER_FOLDER, MAX_CHANGES_PER_FOLDER } from '../../../modules/folders/policy.ts'
import { fold } from '../../../modules/kernel/decider.ts'

/** A folder is read and told whole, so nobody may make it endless. */

const created: FolderEvent = { type: 'FolderCreated', data: { player: 'p', name: 'Swings' } }
const video = {
  id: 'a',
  name: 'a.mp4',
  type: 'video/mp4',
  bytes: 9,
  milliseconds: 900,
  width: 2,
  height: 2,
  key: 'k',
  poster: null,
} as StoredVideo
const other = { ...video, id: 'b' }
const added: FolderEvent = { type: 'VideoAdded', data: { video } }
const times = (count: number, event: (i: number) => FolderEvent | FolderEvent[]) => Array.from({ length: count }, (_, i) => event(i)).flat()
const renamed = (i: number): FolderEvent => ({ type: 'FolderRenamed', data: { name: `Swings ${i}` } })
const turns: [string, (i: number) => FolderEvent[]][] = [
  ['names', i => [renamed(i), renamed(i + 9000)]],
  ['visits to the archive', () => ['FolderArchived' as const, 'FolderRestored' as const].map(type => ({ type, data: {} }))],
  [
    'videos that came and went',
    i => [
      { type: 'VideoAdded', data: { video: { ...video, id: `v${i}` } } },
      { type: 'VideoRemoved', data: { video: `v${i}` } },
    ],
  ],
  [
    'assignments that were taken back',
    i => [
      {
        type: 'FolderAssigned',
        data: {
          ...{ assignment: `as${i}`, player: 'p', instructor: 'i', message: null, quote: { items: [], total: 0, atMost: 0 } },
          ...{ terms: null, follows: null, videos: [{ id: 'a', bytes: 9 }] },
        },
      },
      { type: 'AssignmentWithdrawn', data: { assignment: `as${i}` } },
    ],
  ],
]

test.each(turns)('%s have an end: nothing more is changed, and what is there is still of use', (_, turn) => {
  const before = fold(folder, [created, added, ...times(MAX_CHANGES_PER_FOLDER / 2 - 1, turn)])
  expect(folder.decide.rename(before, { name: 'Last' })).toMatchObject({ type: 'FolderRenamed' })
  const { decide } = folder
  const state = fold(folder, [created, added, ...times(MAX_CHANGES_PER_FOLDER / 2, turn)])
  const over = expect.objectContaining({ code: 'too-many-changes', message: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(() => decide.rename(state, { name: 'Another' })).toThrow(over)
  expect(() => decide.archive(state)).toThrow(over)
  expect(() => decide.addVideo(state, { video: other })).toThrow(over)
  expect(() => decide.replaceVideo(state, { video: 'a', by: other, unseen: true })).toThrow(over)
  const quote = { items: [], total: 0, atMost: 0 }
  const asked = { assignment: 'next', instructor: 'i', message: null, quote, terms: null, videos: [{ id: 'a', bytes: 9 }] }
  expect(() => decide.assign(state, asked)).toThrow(over)
  // The same again is nothing new.
  expect(decide.addVideo(state, { video })).toEqual([])
  expect(decide.removeVideo(state, { video: 'a' })).toMatchObject({ type: 'VideoRemoved' })
  expect(decide.setCaptureRate(state, { video: 'a', rate: 240, by: 'p' })).toMatchObject({ type: 'CaptureRateSet' })
})

test('what is in the archive at its end comes back', () => {
  const state = fold(folder, [created, ...times(MAX_CHANGES_PER_FOLDER, renamed), { type: 'FolderArchived', data: {} }])
  expect(folder.decide.restore(state)).toMatchObject({ type: 'FolderRestored' })
})

test("one instructor's endless capture-rate changes use up nobody else's changes", () => {
  const rated =
    (by: string) =>
    (i: number): FolderEvent => ({ type: 'CaptureRateSet', data: { video: 'a', rate: 30 + i, by } })
  const almost = fold(folder, [created, added, ...times(MAX_CAPTURE_RATES_PER_FOLDER - 1, rated('i'))])
  expect(folder.decide.setCaptureRate(almost, { video: 'a', rate: 1000, by: 'i' })).toMatchObject({ type: 'CaptureRateSet' })
  const state = fold(folder, [created, added, ...times(MAX_CAPTURE_RATES_PER_FOLDER, rated('i'))])
  expect(() => folder.decide.setCaptureRate(state, { video: 'a', rate: 1000, by: 'i' })).toThrow(
    expect.objectContaining({ code: 'too-many-changes' }),
  )
  expect(folder.decide.setCaptureRate(state, { video: 'a', rate: 30 + MAX_CAPTURE_RATES_PER_FOLDER - 1, by: 'i' })).toEqual([])
  for (const by of ['p', 'j'])
    expect(folder.decide.setCaptureRate(state, { video: 'a', rate: 240, by })).toMatchObject({ type: 'CaptureRateSet' })
  expect(folder.decide.rename(state, { name: 'Another' })).toMatchObject({ type: 'FolderRenamed' })
})
