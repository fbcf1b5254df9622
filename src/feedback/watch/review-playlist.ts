import type { Note, Video } from '../../../modules/folders/contract.ts'
import type { Comparison, Voice } from '../../../modules/reviews/contract.ts'
import { twoAngleComparisonOfNote } from '../../comparison/comparison-from-two-angle-note.ts'
import { createComparisonTiming, toRealTimeline } from '../../comparison/comparison-timing.ts'
import { comparisonTitle, type LabeledClipPair, labeledClipsOfComparison, labeledClipsOfReview } from '../../comparison/labeled-clips.ts'
import { type Goal, nextGoal } from '../../folders/goals.ts'
import { NOTE_KIND_DISPLAY, sortNotes } from '../../folders/notes.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { guessTimeline } from '../../player/clip-source.ts'
import { PLAYBACK_SPEEDS } from '../../player/playback-speeds.ts'

/** How fast people read text that is shown over a video. */
const CHARACTERS_READ_PER_SECOND = 14
/** Minimum time for which a note or a goal is shown, even if it has no text. */
export const MIN_READING_MS = 2500
/** Before a note, the clip plays for at most this long, so that a long clip does not bore the viewer. */
export const MAX_LEAD_IN_MS = 3000
/** A shorter lead-in is skipped, because it would look like a flicker. */
const MIN_LEAD_IN_MS = 150
/** A comparison plays for at most this long before and after the moment on which its clips are synced. */
const COMPARISON_WINDOW_MS = 10_000
/**
 * A comparison plays at the highest speed, at most 1, at which it lasts at least this long (or at the lowest speed, if it is too short),
 * because a swing at full speed is too fast to see.
 */
const MIN_COMPARISON_MS = 5000

/** One step of a review, and for how long it is shown. */
export type PlaylistSegment = { readonly milliseconds: number } & (
  | { readonly kind: 'voice'; readonly voice: Voice; readonly note: Note | undefined }
  /** Part of a clip that leads up to a note, or a whole clip without notes. `from` and `to`: in ms from the start of the clip. */
  | { readonly kind: 'clip'; readonly video: string; readonly from: number; readonly to: number }
  | { readonly kind: 'note'; readonly note: Note }
  /** `from`: in ms on the comparison's clock. At speed 0, the clips are paused. `note`: the note that is shown from both of its angles. */
  | {
      readonly kind: 'comparison'
      readonly comparison: Comparison
      readonly pair: LabeledClipPair
      readonly from: number
      readonly speed: number
      readonly note?: Note
    }
  | { readonly kind: 'goal'; readonly goal: Goal }
)

/** A named part of the playlist. `segment` is the index of its first segment, `start` its position in the playlist in ms. */
export interface PlaylistChapter {
  readonly title: string
  readonly segment: number
  readonly start: number
}

/** A review as a sequence of segments, with chapters for navigation. */
export interface ReviewPlaylist {
  readonly segments: readonly PlaylistSegment[]
  readonly chapters: readonly PlaylistChapter[]
  readonly milliseconds: number
}

/** How long to show a text so that everybody can read it, in ms. */
export const readingMs = (text: string) => Math.max(MIN_READING_MS, Math.ceil((text.length / CHARACTERS_READ_PER_SECOND) * 1000))

/** The heading of a goal while the review plays, by its state. */
export const GOAL_STATE_HEADINGS = { given: 'The one thing to do next', tried: 'The one thing to do next', fixed: 'Fixed' } as const

type Part = { title: string; segments: PlaylistSegment[] }

/**
 * The segments of a note with two angles: both clips play on one clock up to the note's moment, for as long and as fast as the first clip
 * would alone, and pause there. A voice-over controls the stage of one clip, so it comes after the comparison, on that clip. Returns
 * undefined if the note has only one angle.
 */
function segmentsOfAngles(
  note: Note,
  leadInMs: number,
  isSpoken: boolean,
  session: Pick<ReviewedSession, 'review' | 'clips'>,
): PlaylistSegment[] | undefined {
  const comparison = twoAngleComparisonOfNote(note, session.review, session.clips)
  const pair = comparison && labeledClipsOfComparison(comparison, labeledClipsOfReview('', { clips: session.clips, compared: [] }))
  if (!pair) return undefined
  const shown = { kind: 'comparison' as const, comparison, pair }
  const timing = timingOf(comparison, pair)
  const { milliseconds, ...clip } = pair[0].clip
  const start = guessTimeline(clip, milliseconds / 1000).at((note.at - leadInMs) / 1000)
  const leadInClockMs = -timing.when(0, start)
  return [
    ...(leadInMs >= MIN_LEAD_IN_MS && leadInClockMs > 0
      ? [{ ...shown, from: -leadInClockMs, speed: leadInClockMs / leadInMs, milliseconds: leadInMs }]
      : []),
    ...(!isSpoken ? [{ ...shown, from: 0, speed: 0, note, milliseconds: readingMs(note.text) }] : []),
  ]
}

function partsOfNotes(session: Pick<ReviewedSession, 'review' | 'clips'>): Part[] {
  const { review, clips } = session
  const notes = sortNotes(review.notes, clips)
  /** The current clip, and how far it has been played, in ms. */
  let [shown, playedTo] = ['', 0]
  return notes.map((note, i) => {
    if (note.video !== shown) [shown, playedTo] = [note.video, 0]
    const from = Math.max(playedTo, note.at - MAX_LEAD_IN_MS)
    const leadIn = note.at - from
    playedTo = note.at
    const voice = review.voices?.find(v => v.id === note.voice)
    const spoken: PlaylistSegment[] = voice ? [{ kind: 'voice', voice, note, milliseconds: voice.milliseconds }] : []
    const fromOneAngle = (): PlaylistSegment[] => [
      ...(leadIn >= MIN_LEAD_IN_MS ? [{ kind: 'clip' as const, video: note.video, from, to: note.at, milliseconds: leadIn }] : []),
      ...(voice ? [] : [{ kind: 'note' as const, note, milliseconds: readingMs(note.text) }]),
    ]
    return {
      title: `Note ${i + 1}, ${NOTE_KIND_DISPLAY[note.kind].label}`,
      segments: [...(segmentsOfAngles(note, leadIn, !!voice, session) ?? fromOneAngle()), ...spoken],
    }
  })
}

const partOfVoice = (voice: Voice, i: number, all: readonly Voice[]): Part => ({
  title: all.length > 1 ? `Overall, ${i + 1}` : 'Overall',
  segments: [{ kind: 'voice', voice, note: undefined, milliseconds: voice.milliseconds }],
})

/** The real times of a clip's frames, estimated because its frame table is not loaded yet. */
function estimatedTimes({ milliseconds, media, ...clip }: Video) {
  const guess = guessTimeline({ ...clip, media }, milliseconds / 1000)
  return toRealTimeline(guess, media?.captureRate?.rate)
}

function timingOf(comparison: Comparison, pair: LabeledClipPair) {
  const timedClip = (i: 0 | 1) => {
    const times = estimatedTimes(pair[i].clip)
    return { ...comparison.sides[i], origin: times.clamp(comparison.sides[i].origin), times }
  }
  return createComparisonTiming([timedClip(0), timedClip(1)], comparison.stretch)
}

function partOfComparison(comparison: Comparison, pair: LabeledClipPair): Part {
  const whole = timingOf(comparison, pair)
  const from = Math.max(whole.from, -COMPARISON_WINDOW_MS)
  const length = Math.max(1, Math.min(whole.to, COMPARISON_WINDOW_MS) - from)
  const speed = [...PLAYBACK_SPEEDS].filter(s => s <= 1).findLast(s => length / s >= MIN_COMPARISON_MS) ?? PLAYBACK_SPEEDS[0]
  return {
    title: comparisonTitle(comparison, pair),
    segments: [{ kind: 'comparison', comparison, pair, from, speed, milliseconds: length / speed }],
  }
}

const partOfGoal = (goal: Goal): Part => ({
  title: GOAL_STATE_HEADINGS[goal.state],
  segments: [{ kind: 'goal', goal, milliseconds: readingMs(goal.text) }],
})

const partOfClip = ({ id: video, milliseconds }: Video, i: number): Part => ({
  title: `Video ${i + 1}`,
  segments: [{ kind: 'clip', video, from: 0, to: milliseconds, milliseconds }],
})

/**
 * Builds the playlist of a review in the order in which an instructor would present it: the voice-overs about the whole review, each note
 * with the part of the clip that leads up to it, the comparisons, the goals that the player has achieved, and the next goal. If there are
 * neither notes nor such voice-overs, it plays the clips.
 */
export function reviewPlaylistOf(session: Pick<ReviewedSession, 'review' | 'clips' | 'compared'>): ReviewPlaylist {
  const { review, clips } = session
  const overall = (review.voices ?? []).filter(v => !review.notes.some(n => n.voice === v.id))
  const named = labeledClipsOfReview('', session)
  const next = nextGoal(review.goals)
  const notes = partsOfNotes(session)
  const parts = [
    ...overall.map(partOfVoice),
    ...(notes.length || overall.length ? notes : clips.filter(c => c.milliseconds > 0).map(partOfClip)),
    ...(review.comparisons ?? []).flatMap(c => {
      const pair = labeledClipsOfComparison(c, named)
      return pair ? [partOfComparison(c, pair)] : []
    }),
    ...(review.goals ?? []).filter(g => g.state === 'fixed').map(partOfGoal),
    ...(next ? [partOfGoal(next)] : []),
  ]
  const segments: PlaylistSegment[] = []
  const chapters: PlaylistChapter[] = []
  let milliseconds = 0
  for (const part of parts) {
    chapters.push({ title: part.title, segment: segments.length, start: milliseconds })
    for (const segment of part.segments) milliseconds += segment.milliseconds
    segments.push(...part.segments)
  }
  return { segments, chapters, milliseconds }
}

/** When a segment starts, in ms from the start of the playlist. */
export const segmentStart = (durations: readonly number[], index: number) => durations.slice(0, index).reduce((sum, ms) => sum + ms, 0)

/** The chapter that contains the segment with this index; undefined if the playlist is empty. */
export const chapterOf = ({ chapters }: ReviewPlaylist, segment: number) => chapters.findLast(c => c.segment <= segment)

/** The index of the segment that shows a note (not of its lead-in), or -1. */
export const segmentIndexOfNote = ({ segments }: ReviewPlaylist, note: string) =>
  segments.findIndex(s => 'note' in s && s.note?.id === note)
