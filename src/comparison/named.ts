import type { ComparableSession, Video } from '../../modules/folders/contract.ts'
import type { Checkpoint, Comparison } from '../../modules/reviews/contract.ts'
import type { ReviewedSession } from '../folders/reviewed-session.ts'
import { dated } from '../ui/dated.ts'

/** A clip of a comparison, and how one calls it. */
export interface Named {
  clip: Video
  folder: string
  /** The folder's name, or that it is of this session; beside another of the same the clip's own name, or its place. */
  of: string
  /** Positions set on it. */
  checkpoints?: readonly Checkpoint[]
}
export type NamedPair = [Named, Named]

const NOW = 'This session'

const day = dated({ month: 'short', day: 'numeric', year: 'numeric' })
/** “Front toss, Jun 3, 2026”. */
export const calledBy = (folder: string, at: string) => `${folder}, ${day(new Date(at))}`

/** Both clips of a comparison, where both are there. */
export function pairOf({ sides }: Pick<Comparison, 'sides'>, clips: readonly Named[]): NamedPair | undefined {
  const [a, b] = sides.map(({ video }) => clips.find(c => c.clip.id === video))
  if (!a || !b) return undefined
  if (a.of !== b.of) return [a, b]
  // Two clips of one session are told apart by their own names, or as its tabs call them.
  const session = clips.filter(c => c.of === a.of)
  const own = (named: Named): Named => ({
    ...named,
    of: a.clip.name === b.clip.name ? `Video ${session.indexOf(named) + 1}` : named.clip.name,
  })
  return [own(a), own(b)]
}

/** The clips that a review's comparisons are made of. */
export const clipsOf = (folder: string, { clips, compared }: Pick<ReviewedSession, 'clips' | 'compared'>): Named[] => [
  ...clips.map(clip => ({ clip, folder, of: NOW })),
  ...compared.map(({ folder, ...clip }) => ({ clip, folder: folder.id, of: calledBy(folder.name, clip.added) })),
]

/** Clips of all sessions, each once. `now`: the session that is being reviewed. */
export function namedIn(sessions: readonly ComparableSession[], now: string): Named[] {
  const all = sessions.flatMap(({ id, folder, assigned, clips, checkpoints }) =>
    clips.map(clip => ({ clip, checkpoints, folder: folder.id, of: id === now ? NOW : calledBy(folder.name, assigned) })),
  )
  return all.filter((named, i) => all.findIndex(other => other.clip.id === named.clip.id) === i)
}

/** Positions that are set on both clips, with their frames: moments to sync on. `own`: those of the review that is being written. */
export function momentsOf(pair: NamedPair, own: readonly Checkpoint[]): { name: string; frames: [number, number] }[] {
  const [a, b] = pair.map(({ clip, checkpoints = [] }) => [...own, ...checkpoints].filter(c => c.video === clip.id))
  return a!.flatMap(({ name, skill, frame }) => {
    const other = b!.find(c => c.name === name && c.skill === skill)
    return other ? [{ name, frames: [frame, other.frame] as [number, number] }] : []
  })
}

/** “Front toss, Jun 3, 2026 and this session”. */
export const bothOf = ([a, b]: NamedPair) => `${a.of} and ${b.of === NOW ? NOW.toLowerCase() : b.of}`

/** What a comparison is called: its own title, or what it is made of. */
export const titleOf = (comparison: Comparison, pair: NamedPair | undefined) => comparison.title || (pair ? bothOf(pair) : 'Comparison')
