import type { Note } from '../../../modules/folders/contract.ts'
import type { FrameTimeline } from '../../../modules/media/frames.ts'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { shapeAtFrame } from '../../drawing/shape-at-frame.ts'
import { shapeOpacityAtFrame, shapesOfNotesOnVideo } from '../../drawing/shape-geometry.ts'
import { fullViewport, type Viewport } from '../../drawing/viewport.ts'
import type { ReviewedSession } from '../../folders/reviewed-session-type.ts'
import { clipSecondsOfScene, sceneAt, shapesOfScene, withoutVoiceOverCopies } from '../../voice/replayed-scene.ts'
import type { PlaylistSegment } from './review-playlist.ts'

/** The position in the clip `offset` ms after a segment began, in ms from the start of the clip. */
export const clipMillisecondsAt = ({ from }: PlaylistSegment & { kind: 'clip' }, offset: number) => from + offset

/** The time on the comparison's clock `offset` ms after a segment began, in ms. */
export const comparisonMillisecondsAt = ({ from, speed }: PlaylistSegment & { kind: 'comparison' }, offset: number) => from + offset * speed

/** The frames to loop while a note about a range of frames is shown; null for a note about one frame. */
export const loopOfNote = ({ frame, until }: Pick<Note, 'frame' | 'until'>) =>
  frame !== undefined && until !== undefined && until > frame ? { from: frame, to: until } : null

/** What the stage shows at a moment of a segment. `note` is the note whose text is shown. */
export type StageContent =
  | {
      readonly kind: 'clip'
      readonly video: string
      readonly frame: number
      readonly view: Viewport
      readonly shapes: readonly { readonly shape: Shape; readonly opacity: number }[]
      readonly note: Note | undefined
    }
  | { readonly kind: 'comparison'; readonly segment: PlaylistSegment & { kind: 'comparison' }; readonly time: number }
  | { readonly kind: 'goal'; readonly segment: PlaylistSegment & { kind: 'goal' } }

/** The drawings that are visible at a frame, each as it looks at that frame. */
export const visibleShapes = (shapes: readonly Shape[], frame: number) =>
  shapes.flatMap(shape => {
    const opacity = shapeOpacityAtFrame(shape, frame)
    return opacity > 0 ? [{ shape: shapeAtFrame(shape, frame), opacity }] : []
  })

/**
 * What the stage shows `offset` ms after a segment began. The server also uses this function to render review videos, so the result must
 * match what browsers show.
 * @param timesOf returns the frame table of a clip, or null if the clip cannot be shown
 * @returns null if the clip cannot be shown
 */
export function stageContentAt(
  segment: PlaylistSegment,
  offset: number,
  { review }: Pick<ReviewedSession, 'review'>,
  timesOf: (video: string) => FrameTimeline | null,
): StageContent | null {
  const onClip = (
    video: string,
    frameOf: (times: FrameTimeline) => number,
    more: { note?: Note | undefined; view?: Viewport; shapes?: readonly Shape[]; spoken?: readonly Shape[] | undefined },
  ): StageContent | null => {
    const times = timesOf(video)
    if (!times) return null
    const frame = times.clamp(frameOf(times))
    const shapes = visibleShapes(
      [...withoutVoiceOverCopies(shapesOfNotesOnVideo(review.notes, video), more.spoken), ...(more.shapes ?? [])],
      frame,
    )
    return { kind: 'clip', video, frame, shapes, view: more.view ?? fullViewport, note: more.note }
  }
  switch (segment.kind) {
    case 'clip':
      return onClip(segment.video, times => times.at(clipMillisecondsAt(segment, offset) / 1000), {})
    case 'note': {
      const { note } = segment
      const loop = loopOfNote(note)
      const looped = (times: FrameTimeline) => {
        const [start, end] = [times.start(loop!.from), times.end(loop!.to)]
        return times.at(start + ((offset / 1000) % (end - start)))
      }
      return onClip(note.video, loop ? looped : times => note.frame ?? times.noted(note.at), { note })
    }
    case 'voice': {
      const { voice, note } = segment
      const scene = sceneAt(voice, offset)
      const shapes = shapesOfScene(voice, scene, offset)
      return onClip(scene.video, times => times.at(clipSecondsOfScene(scene, offset, times.start)), {
        note,
        view: scene.view,
        shapes,
        spoken: voice.shapes,
      })
    }
    case 'comparison':
      return { kind: 'comparison', segment, time: comparisonMillisecondsAt(segment, offset) }
    case 'goal':
      return { kind: 'goal', segment }
  }
}
