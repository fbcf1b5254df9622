import { describe, expect, test } from 'vitest'
import { Draft, Review } from '../../../modules/folders/contract.ts'
import { CommandRefused } from '../../../modules/kernel/store.ts'
import {
  assertContinuedGoalsExist,
  assertReviewValid,
  comparisonClipUnavailableRefusal,
  reviewSizeBytes,
} from '../../../modules/reviews/assert-review-valid.ts'

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
const [swing, tee] = [id(1), id(2)]
const videos = [{ id: swing, frames: 300 }, { id: tee }]
const shape = (n: number, from = 10) => ({ id: id(n), tool: 'line' as const, color: 0, width: 45, p: [1, 1, 2, 2], from, hold: 1, fade: 0 })
const voice = (n: number, video = swing) => ({
  id: id(n),
  video,
  frame: 0,
  milliseconds: 4000,
  bytes: 9000,
  type: 'audio/webm' as const,
  actions: [[0, 'play', 0] as [number, 'play', number], [900, 'clip', tee, 4] as [number, 'clip', string, number]],
})
const review = (over: Partial<Review> = {}): Review => ({
  notes: [
    { id: id(10), video: swing, at: 1000, frame: 60, until: 80, kind: 'technique', text: 'Hands', shapes: [shape(20), shape(21, 299)] },
    { id: id(11), video: tee, at: 9000, frame: 99_999, kind: 'tip', text: '', voice: id(30) },
  ],
  summary: 'Good.',
  grades: [
    { skill: 'hitting', grade: 50 },
    { skill: 'pitching', grade: 55 },
  ],
  voices: [voice(30), voice(31)],
  checkpoints: [
    { video: swing, skill: 'hitting', name: 'contact', frame: 120, by: 'hand' },
    { video: swing, skill: 'hitting', name: 'load', frame: 60, by: 'hand' },
  ],
  goals: [
    { id: id(40), text: 'Stay back', state: 'given' },
    { id: id(41), text: 'Knee', from: id(49), state: 'tried' },
  ],
  comparisons: [
    {
      id: id(50),
      title: 'June and now',
      mode: 'ghost',
      stretch: true,
      sides: [
        { folder: id(60), video: swing, origin: 120, offset: 0, scale: 1, shapes: [shape(22, 0)] },
        { folder: id(61), video: id(62), origin: 7, offset: -40, scale: 2 },
      ],
    },
  ],
  ...over,
})
const following = (frame: number) => ({ ...shape(23, 0), keyframes: [{ frame, p: shape(23, 0).p }] })
const comparable = [
  { folder: id(60), video: swing, frames: 300 },
  { folder: id(61), video: id(62) },
]
const refused = (over: Partial<Review>) => {
  try {
    assertReviewValid(videos, review(over), comparable)
  } catch (error) {
    expect(error).toBeInstanceOf(CommandRefused)
    const { code, field, message } = error as CommandRefused
    expect(message).toMatch(/^[A-Z“].*\.$/)
    // A message names a note, voice-over or comparison by its position counted from 1, while the field has its index from 0.
    const [, index] = /^(?:notes|voices|comparisons)\.(\d+)/.exec(field!) ?? []
    if (index) expect(message).toMatch(new RegExp(`[^-]\\b${Number(index) + 1}\\b`))
    return `${code}: ${field}`
  }
  return 'taken'
}
const compared = (which: 0 | 1, change: object) => {
  const [one] = review().comparisons!
  return {
    comparisons: [{ ...one!, sides: one!.sides.map((side, i) => (i === which ? { ...side, ...change } : side)) }],
  } as Partial<Review>
}
const unseen = review().comparisons![0]!.sides[1]
const at = (name: string, frame: number, more: object = {}) =>
  ({ video: swing, skill: 'hitting', name, frame, by: 'hand', ...more }) as NonNullable<Review['checkpoints']>[number]
const [first, second] = review().notes as [Review['notes'][number], Review['notes'][number]]

test('a review with every kind of content is accepted', () => {
  expect(Review.parse(review())).toEqual(review())
  expect(Draft.parse(review())).toEqual(review())
  assertReviewValid(videos, review(), comparable)
})

test('a review of an earlier version, without drawings, is accepted unchanged', () => {
  const old = { notes: [{ id: id(10), video: swing, at: 5000, kind: 'tip', text: 'Balance' }], summary: 'Good.', grades: [] }
  expect(Review.parse(old)).toEqual(old)
  assertReviewValid(videos, Review.parse(old))
})

test.each<[string, Partial<Review>]>([
  ['a range of one frame', { notes: [{ ...first, until: 60 }, second] }],
  ['a range that starts at the beginning', { notes: [{ ...first, frame: undefined, until: 0 }, second] }],
  ['the last frame', { notes: [{ ...first, frame: 299, until: 299 }, second] }],
  [
    'the same position of several disciplines and videos',
    { checkpoints: [at('load', 1), at('load', 1, { skill: 'pitching' }), at('load', 1, { video: tee })] },
  ],
  ['a second angle on the last frame', { notes: [{ ...second, otherAngle: { video: swing, frame: 299 } }, first] }],
  ['200 drawings', { notes: [{ ...first, shapes: Array.from({ length: 199 }, (_, i) => shape(1000 + i)) }, second] }],
  ['a comparison synced on the last frame', compared(0, { origin: 299 })],
  ['a comparison synced anywhere in a clip with uncounted frames', compared(1, { origin: 99_999, shapes: [shape(23, 99_999)] })],
])('%s is accepted', (_, over) => expect(refused(over)).toBe('taken'))

test('a drawing may have keyframes up to the last frame, and none after it', () => {
  expect(refused({ notes: [{ ...first, shapes: [following(299)] }, second] })).toBe('taken')
  expect(refused({ notes: [{ ...first, shapes: [following(300)] }, second] })).toBe('note-time: notes.0.shapes.0.keyframes')
})

test('a clip that cannot be compared is reported with its comparison', () => {
  expect([comparisonClipUnavailableRefusal(), comparisonClipUnavailableRefusal(1, 1)].map(e => [e.message, e.field])).toEqual([
    ['The first clip of comparison 1 is not available for comparison. Choose another clip for it.', 'comparisons.0.sides.0'],
    ['The second clip of comparison 2 is not available for comparison. Choose another clip for it.', 'comparisons.1.sides.1'],
  ])
})

test('comparing a hit with a pitch is refused if both movements are known', () => {
  const beside = (skills: string[], over: Partial<Review> = {}) => {
    try {
      assertReviewValid(videos, review(over), [comparable[0]!, { ...comparable[1]!, skills: new Set(skills) }])
    } catch (error) {
      const { code, field, message } = error as CommandRefused
      return [code, field, message]
    }
    return 'taken'
  }
  expect(beside(['pitching'])).toEqual([
    ...['comparison-skills', 'comparisons.0'],
    'Comparison 1 shows hitting next to pitching. Delete it, or correct the positions and grades of this review.',
  ])
  expect(beside(['pitching', 'hitting'])).toBe('taken')
  expect(beside([])).toBe('taken')
  // Without positions, the first clip's discipline is known only if a single discipline is graded.
  expect(beside(['pitching'], { checkpoints: [] })).toBe('taken')
  expect(beside(['pitching'], { checkpoints: [], grades: [{ skill: 'hitting', grade: 50 }] })).toContain('comparison-skills')
})

test('an earlier goal can be continued only once in a review', () => {
  const goal = (n: number, from?: number) => ({ id: id(n), text: 'Knee', state: 'tried' as const, ...(from && { from: id(from) }) })
  const said = (goals: ReturnType<typeof goal>[] | undefined, before?: string[]) => {
    try {
      assertContinuedGoalsExist({ goals }, before)
    } catch (error) {
      const { code, field, message } = error as CommandRefused
      expect(message).toMatch(/^Goal \d .*\.$/)
      return `${code}: ${field}: ${message.split(' ')[1]}`
    }
    return 'taken'
  }
  const before = [id(48), id(49)]
  expect(said(undefined)).toBe('taken')
  expect(said([goal(40), goal(41)])).toBe('taken')
  expect(said([goal(40), goal(41, 49), goal(42), goal(43, 48)], before)).toBe('taken')
  expect(said([goal(40), goal(41, 49)])).toBe('goal-from: goals.1.from: 2')
  expect(said([goal(40), goal(41, 49), goal(42, 47)], before)).toBe('goal-from: goals.2.from: 3')
  expect(said([goal(40, 49), goal(41), goal(42, 49)], before)).toBe('goal-twice: goals.2.from: 3')
})

describe('a review is refused, naming the invalid field, for', () => {
  test.each<[string, Partial<Review>, string]>([
    ['a note on a video of another folder', { notes: [first, { ...second, video: id(99) }] }, 'note-video: notes.1.video'],
    ['a frame past the end', { notes: [second, { ...first, frame: 300, until: undefined }] }, 'note-time: notes.1.frame'],
    ['a range past the end', { notes: [{ ...first, until: 300 }] }, 'note-time: notes.0.until'],
    ['a range that ends before it begins', { notes: [{ ...first, until: 59 }] }, 'note-range: notes.0.until'],
    ['a drawing past the end', { notes: [{ ...first, shapes: [shape(20), shape(21, 300)] }] }, 'note-time: notes.0.shapes.1.from'],
    [
      'a second angle of another folder',
      { notes: [{ ...first, otherAngle: { video: id(99), frame: 0 } }] },
      'note-video: notes.0.otherAngle.video',
    ],
    [
      'a second angle past the end',
      { notes: [{ ...second, voice: undefined, otherAngle: { video: swing, frame: 300 } }] },
      'note-time: notes.0.otherAngle.frame',
    ],
    ['a missing voice-over', { notes: [first, { ...second, voice: id(39) }] }, 'note-voice: notes.1.voice'],
    ['a voice-over on another video', { voices: [voice(30), voice(31, id(99))] }, 'note-video: voices.1.video'],
    ['a voice-over at a frame past the end', { voices: [voice(30), { ...voice(31), frame: 300 }] }, 'note-time: voices.1.frame'],
    [
      'a voice-over that shows another video',
      { voices: [voice(30), { ...voice(31), actions: [[5, 'clip', id(99), 0]] }] },
      'note-video: voices.1.actions.0',
    ],
    [
      'a position past the end',
      { checkpoints: [{ video: swing, skill: 'hitting', name: 'contact', frame: 300, by: 'hand' }] },
      'note-time: checkpoints.0.frame',
    ],
    [
      'the same position twice',
      { checkpoints: [1, 2].map(frame => ({ video: swing, skill: 'hitting', name: 'load', frame, by: 'hand' })) },
      'checkpoint-twice: checkpoints.1',
    ],
    [
      'an unconfirmed position proposed by sound',
      { checkpoints: [at('load', 1), at('contact', 2, { by: 'sound' })] },
      'checkpoint-sound: checkpoints.1',
    ],
    ['two grades for one skill', { grades: [...review().grades, { skill: 'pitching', grade: 60 }] }, 'grade-twice: grades.2'],
    ['the same drawing twice', { notes: [{ ...first, shapes: [shape(20), shape(20)] }, second] }, 'twice: notes'],
    ['the same note twice', { notes: [first, second, { ...first, shapes: [] }] }, 'twice: notes'],
    ['the same voice-over twice', { voices: [voice(30), voice(31), voice(31)] }, 'twice: notes'],
    [
      'the same comparison twice',
      { comparisons: [0, 1].map(() => ({ ...review().comparisons![0]!, sides: [unseen, unseen] })) },
      'twice: notes',
    ],
    ['the same drawing in a note and in a comparison', compared(0, { shapes: [shape(21)] }), 'twice: notes'],
    ['a note with a voice-over in a review without voice-overs', { voices: undefined }, 'note-voice: notes.1.voice'],
    ['a position on another video', { checkpoints: [{ ...at('load', 1), video: id(99) }] }, 'note-video: checkpoints.0.video'],
    ['the same goal twice', { goals: [review().goals![0]!, review().goals![0]!] }, 'twice: notes'],
    ['a comparison with a clip of another player', compared(1, { video: id(63) }), 'comparison-clip: comparisons.0.sides.1'],
    ['a comparison that names the wrong folder of a clip', compared(0, { folder: id(61) }), 'comparison-clip: comparisons.0.sides.0'],
    ['a comparison synced past the end', compared(0, { origin: 300 }), 'note-time: comparisons.0.sides.0.origin'],
    [
      'a drawing past the end of a compared clip',
      compared(0, { shapes: [shape(22, 300)] }),
      'note-time: comparisons.0.sides.0.shapes.0.from',
    ],
    [
      '201 drawings',
      { notes: [{ ...first, shapes: Array.from({ length: 200 }, (_, i) => shape(1000 + i)) }, second] },
      'too-many-shapes: notes',
    ],
  ])('%s', (_, over, field) => expect(refused(over)).toBe(field))

  test('more than 300 kB, stating by how much', () => {
    const long = (points: number) => ({
      ...shape(70),
      tool: 'pen' as const,
      p: Array.from({ length: 2 * points }, (_, i) => (i % 4 < 2 ? 1111 : -1111)),
    })
    const shapes = Array.from({ length: 110 }, (_, i) => ({ ...long(300), id: id(1000 + i) }))
    const large = review({ notes: [{ ...first, shapes }, second] })
    expect(reviewSizeBytes(large)).toBeGreaterThan(300_000)
    expect(() => assertReviewValid(videos, large, comparable)).toThrow(
      `This review is ${Math.ceil((reviewSizeBytes(large) - 300_000) / 1000)} KB too large. Delete some drawings, then deliver it again.`,
    )
  })

  test.each<[string, unknown]>([
    ['a note without text, drawing or voice-over', { ...review(), notes: [{ ...first, text: ' ', shapes: [] }] }],
    [
      'a position of another discipline',
      { ...review(), checkpoints: [{ video: swing, skill: 'pitching', name: 'contact', frame: 1, by: 'hand' }] },
    ],
    ['a voice-over of more than five minutes', { ...review(), voices: [{ ...voice(30), milliseconds: 300_001 }] }],
    ['an unknown action in a voice-over', { ...review(), voices: [{ ...voice(30), actions: [[1, 'fly', 2]] }] }],
    [
      'a comparison of only one clip',
      { ...review(), comparisons: [{ ...review().comparisons![0], sides: [review().comparisons![0]!.sides[0]] }] },
    ],
    ['a goal without text', { ...review(), goals: [{ id: id(40), text: ' ', state: 'given' }] }],
    ['an unknown field', { ...review(), music: [] }],
  ])('a malformed field: %s', (_, it) => expect(Review.safeParse(it).success).toBe(false))
})

test('required texts may be missing from a draft', () => {
  const half = { ...review(), summary: '', notes: [{ ...first, text: '', shapes: [] }], goals: [{ id: id(40), text: '', state: 'given' }] }
  expect(Draft.safeParse(half).success).toBe(true)
})
