import type { Review } from '../folders/contract.ts'
import { CommandRefused } from '../kernel/store.ts'
import type { Shape } from './contract.ts'
import { areSkillsComparable, MAX_REVIEW_BYTES, MAX_SHAPES_PER_REVIEW, skillsReviewedOnClip } from './policy.ts'

/**
 * A video of the session. `frames`: how many it has; undefined if the server has not counted them, so that the video's end is unknown. The
 * video's length in milliseconds cannot replace the count: a browser measured it, perhaps from another start than the frame table's.
 */
export interface ReviewedVideo {
  id: string
  frames?: number | undefined
}

/** A clip that the author of a review may use in a comparison. */
export interface ComparableClip {
  folder: string
  video: string
  frames?: number | undefined
  /** The disciplines that the clip shows, if an earlier review or the instructor's library names them. */
  skills?: ReadonlySet<string> | undefined
}

/**
 * Returns the refusal of a comparison. Its message is the same whether the clip was removed, belongs to somebody else, or never existed.
 * `comparison`: its index in the review. `which`: 0 for the first clip of the comparison, 1 for the second.
 */
export const comparisonClipUnavailableRefusal = (comparison = 0, which = 0) =>
  new CommandRefused(
    `The ${which ? 'second' : 'first'} clip of comparison ${comparison + 1} is not available for comparison. Choose another clip for it.`,
    'comparison-clip',
    `comparisons.${comparison}.sides.${which}`,
  )

/** The size of a review in bytes, as JSON. It includes the actions of voice-overs, but not their sound. */
export const reviewSizeBytes = (review: object) => new TextEncoder().encode(JSON.stringify(review)).length

/**
 * Checks that notes, voice-overs and technique positions are on these videos, comparisons show only comparable clips, all frames exist,
 * nothing occurs twice, is missing or awaits confirmation, and the review is not too large.
 * @throws CommandRefused that names the invalid field
 */
export function assertReviewValid(videos: readonly ReviewedVideo[], review: Review, comparable: readonly ComparableClip[] = []) {
  const refuse = (message: string, code: string, field: string): never => {
    throw new CommandRefused(message, code, field)
  }
  const filmed = (what: string, id: string, field: string) =>
    videos.find(v => v.id === id) ?? refuse(`${what} is on a video that is not in this folder. Move or delete it.`, 'note-video', field)
  const inside = (what: string, video: ReviewedVideo, frame: number | undefined, field: string) => {
    if (frame === undefined || video.frames === undefined || frame < video.frames) return
    refuse(`${what} lies past the end of its video. Move it to a moment you can see.`, 'note-time', field)
  }
  const drawn = (what: string, video: ReviewedVideo, shapes: readonly Shape[] | undefined, field: string) => {
    for (const [i, shape] of shapes?.entries() ?? []) {
      inside(what, video, shape.from, `${field}.${i}.from`)
      inside(what, video, shape.frames?.at(-1), `${field}.${i}.frames`)
      inside(what, video, shape.keyframes?.at(-1)?.frame, `${field}.${i}.keyframes`)
    }
  }

  for (const [i, note] of review.notes.entries()) {
    const [what, field] = [`Note ${i + 1}`, `notes.${i}`]
    const video = filmed(what, note.video, `${field}.video`)
    inside(what, video, note.frame, `${field}.frame`)
    inside(what, video, note.until, `${field}.until`)
    if (note.until !== undefined && note.until < (note.frame ?? 0))
      refuse(`${what} ends before it begins. Set its end again.`, 'note-range', `${field}.until`)
    if (note.otherAngle) {
      const other = filmed(`The second angle of note ${i + 1}`, note.otherAngle.video, `${field}.otherAngle.video`)
      inside(`The second angle of note ${i + 1}`, other, note.otherAngle.frame, `${field}.otherAngle.frame`)
    }
    drawn(`A drawing of note ${i + 1}`, video, note.shapes, `${field}.shapes`)
    if (note.voice !== undefined && !review.voices?.some(v => v.id === note.voice))
      refuse(
        `The voice-over of note ${i + 1} is missing. Reload the page, then record it again or deliver without it.`,
        'note-voice',
        `${field}.voice`,
      )
  }
  for (const [i, voice] of review.voices?.entries() ?? []) {
    const video = filmed(`Voice-over ${i + 1}`, voice.video, `voices.${i}.video`)
    inside(`Voice-over ${i + 1}`, video, voice.frame, `voices.${i}.frame`)
    for (const [j, [, what, clip]] of voice.actions.entries())
      if (what === 'clip') filmed(`Voice-over ${i + 1}`, clip as string, `voices.${i}.actions.${j}`)
  }
  for (const [i, point] of review.checkpoints?.entries() ?? []) {
    const field = `checkpoints.${i}`
    inside(`“${point.name}”`, filmed(`“${point.name}”`, point.video, `${field}.video`), point.frame, `${field}.frame`)
    const same = review.checkpoints!.findIndex(p => p.video === point.video && p.skill === point.skill && p.name === point.name)
    if (same < i) refuse(`“${point.name}” is set twice on the same video. Keep one of them.`, 'checkpoint-twice', field)
    if (point.by === 'sound')
      refuse(`“${point.name}” was detected by sound and has not been confirmed. Confirm it or remove it.`, 'checkpoint-sound', field)
  }
  for (const [i, { sides }] of review.comparisons?.entries() ?? []) {
    const skills = sides.map((side, which) => {
      const clip = comparable.find(c => c.folder === side.folder && c.video === side.video)
      if (!clip) throw comparisonClipUnavailableRefusal(i, which)
      drawn(`A drawing of comparison ${i + 1}`, { id: side.video, ...clip }, side.shapes, `comparisons.${i}.sides.${which}.shapes`)
      if (clip.frames !== undefined && side.origin >= clip.frames)
        refuse(
          `Comparison ${i + 1} is synced past the end of a clip. Sync it on a moment you can see.`,
          'note-time',
          `comparisons.${i}.sides.${which}.origin`,
        )
      // If the clip is one of this session, this review itself says which disciplines the clip shows.
      const isOfSession = videos.some(v => v.id === side.video)
      return (isOfSession ? skillsReviewedOnClip({ id: side.video }, review) : clip.skills) ?? new Set<string>()
    })
    const [one, other] = skills
    if (!areSkillsComparable(one!, other!))
      refuse(
        `Comparison ${i + 1} shows ${[...one!].join(' and ')} next to ${[...other!].join(' and ')}. Delete it, or correct the positions and grades of this review.`,
        'comparison-skills',
        `comparisons.${i}`,
      )
  }
  const twice = review.grades.findIndex((g, i) => review.grades.findIndex(other => other.skill === g.skill) < i)
  if (twice >= 0) refuse(`Give one grade for ${review.grades[twice]!.skill}, not two.`, 'grade-twice', `grades.${twice}`)

  const shapes = [...review.notes, ...(review.voices ?? []), ...(review.comparisons ?? []).flatMap(c => c.sides)].flatMap(
    x => x.shapes ?? [],
  )
  if (shapes.length > MAX_SHAPES_PER_REVIEW)
    refuse(
      `A review can have up to ${MAX_SHAPES_PER_REVIEW} drawings; this one has ${shapes.length}. Delete some of them.`,
      'too-many-shapes',
      'notes',
    )
  for (const items of [review.notes, review.voices ?? [], review.comparisons ?? [], review.goals ?? [], shapes])
    if (new Set(items.map(x => x.id)).size < items.length)
      refuse('Something is in this review twice. Reload the page and deliver again.', 'twice', 'notes')
  const over = reviewSizeBytes(review) - MAX_REVIEW_BYTES
  if (over > 0)
    refuse(`This review is ${Math.ceil(over / 1000)} KB too large. Delete some drawings, then deliver it again.`, 'too-large', 'notes')
}

/**
 * Checks that each goal with `from` continues one of `before` (goals that the same instructor gave the same player), each a different one.
 * @throws CommandRefused that names the invalid field
 */
export function assertContinuedGoalsExist({ goals = [] }: Pick<Review, 'goals'>, before: readonly string[] = []) {
  for (const [i, { from }] of goals.entries()) {
    if (from === undefined) continue
    const refuse = (message: string, code: string): never => {
      throw new CommandRefused(message, code, `goals.${i}.from`)
    }
    if (!before.includes(from))
      refuse(`Goal ${i + 1} continues a goal that you have not given this player. Delete it and add it again.`, 'goal-from')
    if (goals.findIndex(g => g.from === from) < i)
      refuse(`Goal ${i + 1} continues the same goal as another one. Keep one of them.`, 'goal-twice')
  }
}
