import type { Note, Video } from '../../modules/folders/contract.ts'
import type { ComparedSide, Comparison } from '../../modules/reviews/contract.ts'
import { shapesOfNotesOnVideo } from '../drawing/shape-geometry.ts'
import { measureShapeText } from '../drawing/shape-text-font-and-size.ts'
import { aspectRatioOf } from '../player/aspect-ratio-of-clip.ts'
import { mirrorShape } from './mirror-compared-side.ts'

type NoteWithAngle = Pick<Note, 'id' | 'video' | 'frame' | 'otherAngle'>
interface ReviewedAngles {
  notes: readonly (Pick<Note, 'video'> & Partial<Pick<Note, 'shapes'>>)[]
  comparisons?: readonly Comparison[] | undefined
}
type SizedClip = Pick<Video, 'id' | 'width' | 'height'>

/** Whether a comparison shows two different clips of one session, which may be two angles of one swing. */
export const isComparisonOfTwoSessionClips = ({ sides: [a, b] }: Pick<Comparison, 'sides'>, sessionClips: readonly { id: string }[]) =>
  a.video !== b.video && [a, b].every(side => sessionClips.some(clip => clip.id === side.video))

/**
 * The comparison that shows a note from both of its angles, synced on the note's frames, with the drawings of all notes on each clip. All
 * other settings, such as layout and mirroring, come from the review's comparison of these clips, if there is one. On a mirrored clip, the
 * drawings are mirrored too. Null if the note has only one angle or no frame.
 * @param clips the session's clips
 */
export function twoAngleComparisonOfNote(
  note: NoteWithAngle,
  { notes, comparisons = [] }: ReviewedAngles,
  clips: readonly SizedClip[],
): Comparison | null {
  const { otherAngle } = note
  if (!otherAngle || note.frame === undefined) return null
  const videos = [note.video, otherAngle.video]
  const sameClips = comparisons.find(({ sides }) => videos.every(video => sides.some(side => side.video === video)))
  const sideOf = (video: string, origin: number): ComparedSide => {
    const ownSide: ComparedSide = { folder: '', video, origin, scale: 1, offset: 0 }
    const { shapes: _, ...side } = sameClips?.sides.find(s => s.video === video) ?? ownSide
    const shapes = shapesOfNotesOnVideo(notes, video)
    const aspect = aspectRatioOf(clips.find(clip => clip.id === video))
    const mirrored = () => shapes.map(shape => mirrorShape(shape, label => measureShapeText(label, aspect).width))
    return { ...side, origin, offset: 0, shapes: side.mirrored ? mirrored() : shapes }
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
