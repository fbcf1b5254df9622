import type { ComparableSession, Video } from '../../modules/folders/contract.ts'
import type { Comparison, TechniquePosition } from '../../modules/reviews/contract.ts'
import type { ReviewedSession } from '../folders/reviewed-session-type.ts'
import { dateFormatter } from '../ui/date-formatter.ts'

/** A clip that a comparison can show, and its label. */
export interface LabeledClip {
  clip: Video
  folder: string
  /**
   * The clip's session (folder name and day, or 'This session'), or the title of a model clip. If a comparison shows two
   * different clips of the same session, the clip's own name or number.
   */
  label: string
  /** The technique positions of the clip's session; some may belong to other clips of the session. */
  checkpoints?: readonly TechniquePosition[]
}
export type LabeledClipPair = [LabeledClip, LabeledClip]

const THIS_SESSION = 'This session'
/** The label of the second clip if a clip is compared with itself. */
const FRAMES_OF_SAME_CLIP = 'Nearby frames'

const day = dateFormatter({ month: 'short', day: 'numeric', year: 'numeric' })
/** The label of a clip from another session, such as “Front toss, Jun 3, 2026”. @param at ISO 8601 */
export const sessionLabel = (folder: string, at: string) => `${folder}, ${day(new Date(at))}`

/** Both clips of a comparison, with labels that distinguish them; undefined if one is missing. */
export function labeledClipsOfComparison({ sides }: Pick<Comparison, 'sides'>, clips: readonly LabeledClip[]): LabeledClipPair | undefined {
  const [a, b] = sides.map(({ video }) => clips.find(c => c.clip.id === video))
  if (!a || !b) return undefined
  if (a.clip.id === b.clip.id) return [a, { ...b, label: FRAMES_OF_SAME_CLIP }]
  if (a.label !== b.label) return [a, b]
  // Two clips of one session are distinguished by name, or, if their names are the same, by number, as on the session's tabs.
  const session = clips.filter(c => c.label === a.label)
  const ownLabel = (named: LabeledClip): LabeledClip => ({
    ...named,
    label: a.clip.name === b.clip.name ? `Video ${session.indexOf(named) + 1}` : named.clip.name,
  })
  return [ownLabel(a), ownLabel(b)]
}

/** All clips that the comparisons of a review may show. */
export const labeledClipsOfReview = (folder: string, { clips, compared }: Pick<ReviewedSession, 'clips' | 'compared'>): LabeledClip[] => [
  ...clips.map(clip => ({ clip, folder, label: THIS_SESSION })),
  ...compared.map(({ folder, isModel, ...clip }) => ({
    clip,
    folder: folder.id,
    label: isModel ? clip.name : sessionLabel(folder.name, clip.added),
  })),
]

/** The clips of all sessions, each once. `current`: the session that is being reviewed. */
export function labeledClipsOfSessions(sessions: readonly ComparableSession[], current: string): LabeledClip[] {
  const all = sessions.flatMap(({ id, folder, assigned, clips, checkpoints }) =>
    clips.map(clip => ({
      clip,
      checkpoints,
      folder: folder.id,
      label: id === current ? THIS_SESSION : sessionLabel(folder.name, assigned),
    })),
  )
  return all.filter((named, i) => all.findIndex(other => other.clip.id === named.clip.id) === i)
}

/**
 * The technique positions that are set on both clips, with their frames; the instructor can sync the clips at any of them.
 * `draftPositions`: the positions in the review that is being written.
 */
export function techniquePositionsOnBothClips(
  pair: LabeledClipPair,
  draftPositions: readonly TechniquePosition[],
): { name: string; frames: [number, number] }[] {
  const [a, b] = pair.map(({ clip, checkpoints = [] }) => [...draftPositions, ...checkpoints].filter(c => c.video === clip.id))
  return a!.flatMap(({ name, skill, frame }) => {
    const other = b!.find(c => c.name === name && c.skill === skill)
    return other ? [{ name, frames: [frame, other.frame] as [number, number] }] : []
  })
}

/** A label for both clips, such as “Front toss, Jun 3, 2026 and this session”. */
export const pairLabel = ([a, b]: LabeledClipPair) =>
  b.label === FRAMES_OF_SAME_CLIP ? 'Nearby frames' : `${a.label} and ${b.label === THIS_SESSION ? THIS_SESSION.toLowerCase() : b.label}`

/** The comparison's own title or, if it has none, the labels of its clips, or 'Comparison' if a clip is missing. */
export const comparisonTitle = (comparison: Comparison, pair: LabeledClipPair | undefined) =>
  comparison.title || (pair ? pairLabel(pair) : 'Comparison')
