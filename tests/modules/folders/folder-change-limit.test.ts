import { expect, test } from 'vitest'
import { type FolderEvent, folderDecider, type StoredVideo } from '../../../modules/folders/folder.ts'
import { MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER, MAX_CHANGES_PER_FOLDER } from '../../../modules/folders/policy.ts'
import { deciderSpec } from '../../support/decider-spec.ts'

/** A folder is always loaded completely, so its number of events must be limited. */

const { given } = deciderSpec(folderDecider)
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
const added: FolderEvent = { type: 'VideoAdded', data: { video: video } }
const times = (count: number, event: (i: number) => FolderEvent | FolderEvent[]) => Array.from({ length: count }, (_, i) => event(i)).flat()
const renamed = (i: number): FolderEvent => ({ type: 'FolderRenamed', data: { name: `Swings ${i}` } })
const turns: [string, (i: number) => FolderEvent[]][] = [
  ['renames', i => [renamed(i), renamed(i + 9000)]],
  ['visits to the archive', () => ['FolderArchived' as const, 'FolderRestored' as const].map(type => ({ type, data: {} }))],
  [
    'added and removed videos',
    i => [
      { type: 'VideoAdded', data: { video: { ...video, id: `v${i}` } } },
      { type: 'VideoRemoved', data: { video: `v${i}` } },
    ],
  ],
  [
    'withdrawn assignments',
    i => [
      {
        type: 'FolderAssigned',
        data: {
          assignment: `as${i}`,
          player: 'p',
          instructor: 'i',
          message: null,
          quote: { items: [], total: 0, atMost: 0 },
          terms: null,
          follows: null,
          videos: [{ id: 'a', bytes: 9 }],
        },
      },
      { type: 'AssignmentWithdrawn', data: { assignment: `as${i}` } },
    ],
  ],
]

test.each(turns)('the number of %s is limited, and a folder at its limit remains usable', (_, turn) => {
  const before = given(created, added, ...times(MAX_CHANGES_PER_FOLDER / 2 - 1, turn))
  before.when('rename', { name: 'Last' }).givesLike({ type: 'FolderRenamed' })

  const state = given(created, added, ...times(MAX_CHANGES_PER_FOLDER / 2, turn))
  const over = expect.objectContaining({ code: 'too-many-changes', message: expect.stringMatching(/^[A-Z].*\.$/) })
  expect(state.when('rename', { name: 'Another' }).decide).toThrow(over)
  expect(state.when('archive').decide).toThrow(over)
  expect(state.when('addVideo', { video: other }).decide).toThrow(over)
  expect(state.when('replaceVideo', { video: 'a', by: other, isRefused: true }).decide).toThrow(over)
  const quote = { items: [], total: 0, atMost: 0 }
  const asked = { assignment: 'next', instructor: 'i', message: null, quote, terms: null, videos: [{ id: 'a', bytes: 9 }] }
  expect(state.when('assign', asked).decide).toThrow(over)
  // A repeated command changes nothing, so it is not refused. Videos can still be removed, and capture rates set.
  state.when('addVideo', { video }).gives()
  state.when('removeVideo', { video: 'a' }).givesLike({ type: 'VideoRemoved' })
  state.when('setCaptureRate', { video: 'a', rate: 240, by: 'p' }).givesLike({ type: 'CaptureRateSet' })
})

test('an archived folder can be restored even at its change limit', () => {
  const state = given(created, ...times(MAX_CHANGES_PER_FOLDER, renamed), { type: 'FolderArchived', data: {} })
  state.when('restore').givesLike({ type: 'FolderRestored' })
})

test('capture rates set by one instructor do not use up the changes of others', () => {
  const rated =
    (by: string) =>
    (i: number): FolderEvent => ({ type: 'CaptureRateSet', data: { video: 'a', rate: 30 + i, by } })
  const almost = given(created, added, ...times(MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER - 1, rated('i')))
  almost.when('setCaptureRate', { video: 'a', rate: 1000, by: 'i' }).givesLike({ type: 'CaptureRateSet' })
  const state = given(created, added, ...times(MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER, rated('i')))
  expect(state.when('setCaptureRate', { video: 'a', rate: 1000, by: 'i' }).decide).toThrow(
    expect.objectContaining({ code: 'too-many-changes' }),
  )
  state.when('setCaptureRate', { video: 'a', rate: 30 + MAX_CAPTURE_RATE_CHANGES_PER_PERSON_AND_FOLDER - 1, by: 'i' }).gives()
  for (const by of ['p', 'j']) state.when('setCaptureRate', { video: 'a', rate: 240, by }).givesLike({ type: 'CaptureRateSet' })
  state.when('rename', { name: 'Another' }).givesLike({ type: 'FolderRenamed' })
})
