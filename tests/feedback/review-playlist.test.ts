import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Review, Video } from '../../modules/folders/contract.ts'
import type { Comparison, Voice } from '../../modules/reviews/contract.ts'
import {
  chapterOf,
  MAX_LEAD_IN_MS,
  MIN_READING_MS,
  readingMs,
  reviewPlaylistOf,
  segmentIndexOfNote,
} from '../../src/feedback/watch/review-playlist.ts'
import { sortNotes } from '../../src/folders/notes.ts'

const clip = (id: string, milliseconds = 10_000): Video => ({
  id,
  name: `${id}.mp4`,
  type: 'video/mp4',
  bytes: 1,
  milliseconds,
  width: 640,
  height: 360,
  added: '2026-05-02T16:00:00.000Z',
  url: null,
  poster: null,
})
const voice = (id: string, milliseconds: number): Voice => ({
  id,
  video: 'a',
  frame: 0,
  milliseconds,
  bytes: 1,
  type: 'audio/mp4',
  actions: [],
})
const clips = [clip('a'), clip('b')]
const session = (review: Partial<Review>) => ({
  clips,
  compared: [],
  review: { summary: '', grades: [], notes: [], ...review } as Review,
})

const anyReview = fc
  .record({
    notes: fc.array(
      fc.record({
        video: fc.constantFrom('a', 'b'),
        at: fc.integer({ min: 0, max: 9999 }),
        text: fc.string({ maxLength: 300 }),
        isSpoken: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    overall: fc.array(fc.integer({ min: 1, max: 300_000 }), { maxLength: 3 }),
    goals: fc.array(fc.constantFrom('given', 'tried', 'fixed'), { maxLength: 4 }),
  })
  .map(({ notes, overall, goals }) => {
    const pinned = notes.map(({ isSpoken, ...note }, i) => ({
      ...note,
      id: `n${i}`,
      kind: 'tip' as const,
      ...(isSpoken && { voice: `v${i}` }),
    }))
    return {
      notes: pinned,
      voices: [...pinned.flatMap(n => (n.voice ? [voice(n.voice, 1000 + n.at)] : [])), ...overall.map((ms, i) => voice(`o${i}`, ms))],
      goals: goals.map((state, i) => ({ id: `g${i}`, text: `Goal ${i}`, state })),
    }
  })

describe('the playlist of a review', () => {
  test('shows every note once, in reading order', () => {
    fc.assert(
      fc.property(anyReview, review => {
        const { segments } = reviewPlaylistOf(session(review as never))
        const shown = segments.flatMap(s => ('note' in s && s.note ? [s.note.id] : []))
        expect(shown).toEqual(sortNotes(review.notes, clips).map(n => n.id))
      }),
    )
  })

  test('plays every voice-over once, for as long as it was recorded', () => {
    fc.assert(
      fc.property(anyReview, review => {
        const { segments } = reviewPlaylistOf(session(review as never))
        const played = segments.flatMap(s => (s.kind === 'voice' ? [[s.voice.id, s.milliseconds]] : []))
        expect(played.toSorted()).toEqual(review.voices.map(v => [v.id, v.milliseconds]).toSorted())
      }),
    )
  })

  test('is as long as all its segments together, and each chapter has the right start', () => {
    fc.assert(
      fc.property(anyReview, review => {
        const { segments, chapters, milliseconds } = reviewPlaylistOf(session(review as never))
        const sum = (to: number) => segments.slice(0, to).reduce((all, s) => all + s.milliseconds, 0)
        expect(milliseconds).toBeCloseTo(sum(segments.length), 6)
        for (const chapter of chapters) expect(chapter.start).toBeCloseTo(sum(chapter.segment), 6)
        for (const { milliseconds } of segments) expect(milliseconds).toBeGreaterThan(0)
      }),
    )
  })

  test('shows each note without a voice-over long enough to read it', () => {
    fc.assert(
      fc.property(anyReview, review => {
        for (const s of reviewPlaylistOf(session(review as never)).segments)
          if (s.kind === 'note') expect(s.milliseconds).toBeGreaterThanOrEqual(Math.max(2500, (s.note.text.length / 14) * 1000))
      }),
    )
  })

  test('plays up to a few seconds of the clip before each note, and no part twice', () => {
    const notes = [500, 4000, 9000].map((at, i) => ({ id: `n${i}`, video: 'a', at, kind: 'tip' as const, text: '' }))
    const { segments } = reviewPlaylistOf(session({ notes } as never))
    expect(segments.flatMap(s => (s.kind === 'clip' ? [[s.from, s.to]] : []))).toEqual([
      [0, 500],
      [4000 - MAX_LEAD_IN_MS, 4000],
      [9000 - MAX_LEAD_IN_MS, 9000],
    ])
    expect(segmentIndexOfNote({ segments } as never, 'n1')).toBe(3)
  })

  test('ends with the fixed goals and the next goal', () => {
    const goals = [
      { id: 'g0', text: 'Hands back', state: 'fixed' as const },
      { id: 'g1', text: 'Closed shoulder', state: 'given' as const },
      { id: 'g2', text: 'Later', state: 'given' as const },
    ]
    const playlist = reviewPlaylistOf(session({ goals }))
    expect(playlist.chapters.slice(-2).map(c => c.title)).toEqual(['Fixed', 'The one thing to do next'])
    expect(playlist.segments.flatMap(s => (s.kind === 'goal' ? [s.goal.id] : []))).toEqual(['g0', 'g1'])
  })

  test('plays both angles up to a note with two angles, and pauses there', () => {
    const note = { id: 'n', video: 'a', at: 2000, frame: 60, otherAngle: { video: 'b', frame: 15 }, kind: 'tip' as const, text: 'Hands' }
    const playlist = reviewPlaylistOf(session({ notes: [note] }))
    expect(playlist.segments).toMatchObject([
      { kind: 'comparison', from: -2000, speed: 1, milliseconds: 2000, comparison: { sides: [{ origin: 60 }, { origin: 15 }] } },
      { kind: 'comparison', from: 0, speed: 0, note: { id: 'n' }, milliseconds: MIN_READING_MS },
    ])
    expect(playlist.segments[0]).not.toHaveProperty('note')
    expect(segmentIndexOfNote(playlist, 'n')).toBe(1)
  })

  test('plays two angles as slowly as the first clip alone, and then the voice-over', () => {
    const media = { container: 'mp4', codec: 'avc', frames: 300, milliseconds: 10_000, captureRate: { rate: 240 }, rate: [30, 1] }
    const note = { id: 'n', video: 'a', at: 2000, frame: 60, otherAngle: { video: 'b', frame: 15 }, kind: 'tip', text: '', voice: 'v' }
    const slow = { ...clip('a'), media } as unknown as Video
    const { segments } = reviewPlaylistOf({
      clips: [slow, clip('b')],
      compared: [],
      review: { summary: '', grades: [], notes: [note], voices: [voice('v', 4000)] } as unknown as Review,
    })
    expect(segments).toMatchObject([
      { kind: 'comparison', from: -250, speed: 0.125, milliseconds: 2000 },
      { kind: 'voice', note: { id: 'n' }, milliseconds: 4000 },
    ])
    expect(segments).toHaveLength(2)
  })

  test('plays the whole clips if the review has no notes', () => {
    const { segments } = reviewPlaylistOf(session({}))
    expect(segments.map(s => s.kind === 'clip' && [s.video, s.to])).toEqual([
      ['a', 10_000],
      ['b', 10_000],
    ])
  })

  test('slows down a short comparison, and skips a comparison with a missing clip', () => {
    const side = (video: string) => ({ folder: 'f', video, origin: 30, offset: 0, scale: 1 })
    const comparison = (other: string): Comparison => ({
      id: other,
      title: '',
      mode: 'side',
      stretch: false,
      sides: [side('a'), side(other)],
    })
    const short = { ...session({ comparisons: [comparison('b'), comparison('gone')] }), clips: [clip('a', 2000), clip('b', 2000)] }
    const compared = reviewPlaylistOf(short).segments.filter(s => s.kind === 'comparison')
    expect(compared.map(s => [s.comparison.id, s.speed, Math.round(s.milliseconds)])).toEqual([['b', 0.25, 8000]])
  })

  test('plays a comparison past the sync moment if the frame rates vary', () => {
    const media = { container: 'mp4', codec: 'avc', frames: 240, milliseconds: 4000, rate: null, variable: true, captureRate: null }
    const variable = (id: string) => ({ ...clip(id, 4000), media }) as unknown as Video
    const side = (video: string) => ({ folder: 'f', video, origin: 150, offset: 0, scale: 1 })
    const comparison = { id: 'c', title: '', mode: 'side', stretch: false, sides: [side('a'), side('b')] }
    const compared = { ...session({ comparisons: [comparison] } as never), clips: [variable('a'), variable('b')] }
    const { segments } = reviewPlaylistOf(compared)
    expect(segments).toMatchObject([{ kind: 'clip' }, { kind: 'clip' }, { kind: 'comparison', from: -2500, speed: 0.5 }])
    expect(segments[2]!.milliseconds).toBeCloseTo(4000 / 0.5)
  })

  test('shows text for 1 s per 14 characters, and for at least 2.5 s', () => {
    expect(readingMs('')).toBe(MIN_READING_MS)
    expect(readingMs('x'.repeat(140))).toBe(10_000)
  })

  test("counts the clip before a note as part of the note's chapter", () => {
    const notes = [{ id: 'n', video: 'a', at: 2000, kind: 'praise' as const, text: 'Good' }]
    const playlist = reviewPlaylistOf(session({ notes } as never))
    expect(playlist.segments[0]!.kind).toBe('clip')
    expect(chapterOf(playlist, 0)?.title).toBe('Note 1, Praise')
  })
})
