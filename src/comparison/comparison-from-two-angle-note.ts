import type { Note } from '../../modules/folders/contract.ts'
import type { ComparedSide, Comparison } from '../../modules/reviews/contract.ts'
import { shapesOfNotesOnVideo } from '../drawing/shape-geometry.ts'

type NoteWithAngle = Pick<Note, 'id' | 'video' | 'frame' | 'otherAngle'>
interface ReviewedAngles {
  notes: readonly (Pick<Note, 'video'> & Partial<Pick<Note, 'shapes'>>)[]
  comparisons?: readonly Comparison[] | undefined
}

/** Whether a comparison shows two different clips of one session, which may be two angles of one swing. */
export const isComparisonOfTwoSessionClips = ({ sides: [a, b] }: Pick<Comparison, 'sides'>, sessionClips: readonly { id: string }[]) =>
  a.video !== b.video && [a, b].every(side => sessionClips.some(clip => clip.id === side.video))

/**
 * The comparison that shows a note from both of its angles, synced on the note's frames, with the drawings of all notes on each clip. All
 * other settings, such as layout and mirroring, come from the review's comparison of these clips, if there is one. Null if the note has
 * only one angle or no frame.
 */
export function twoAngleComparisonOfNote(note: NoteWithAngle, { notes, comparisons = [] }: ReviewedAngles): Comparison | null {
  const { otherAngle } = note
  if (!otherAngle || note.frame === undefined) return null
  const videos = [note.video, otherAngle.video]
  const sameClips = comparisons.find(({ sides }) => videos.every(video => sides.some(side => side.video === video)))
  const sideOf = (video: string, origin: number): ComparedSide => {
    const { shapes: _, ...side } = sameClips?.sides.find(s => s.video === video) ?? { folder: '', video, scale: 1, offset: 0 }
    return { ...side, origin, offset: 0, shapes: shapesOfNotesOnVideo(notes, video) }
  }
  return {
    id: note.id,
    title: '',
    mode: sameClips?.mode ?? 'side',
    stretch: sameClips?.stretch ?? false,
    ...(sameClips?.onionSkin && { onionSkin: sameClips.onionSkin }),
    sides: [sideOf(note.video, note.frame), sideOf(otherAngle.video, otherAngle.frame)],
  }
}
