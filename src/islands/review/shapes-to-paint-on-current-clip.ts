import { computed, type ReadableAtom } from 'nanostores'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { shapesOfNotesOnVideo } from '../../drawing/shape-geometry.ts'
import { withoutVoiceOverCopies } from '../../voice/replayed-scene.ts'
import type { StudioStore } from './studio-store.ts'

/**
 * Creates a store of the shapes on the current clip: those of its notes, then those of the voice-over being recorded or played. Copies of
 * `$spokenShapes` in notes are left out, because the played voice-over shows them itself. The array stays the same object while its shapes
 * are the same, so that typing in a note does not repaint the canvas.
 */
export function createShapesToPaintOnCurrentClipStore(
  { autosavedDraft, $clipId }: Pick<StudioStore, 'autosavedDraft' | '$clipId'>,
  $voiceShapes: ReadableAtom<readonly Shape[]>,
  $spokenShapes: ReadableAtom<readonly Shape[]>,
) {
  let last: readonly Shape[] = []
  return computed([autosavedDraft.$draft, $clipId, $voiceShapes, $spokenShapes], ({ notes }, clip, voiceShapes, spokenShapes) => {
    const now = [...withoutVoiceOverCopies(shapesOfNotesOnVideo(notes, clip), spokenShapes), ...voiceShapes]
    if (now.length !== last.length || now.some((shape, i) => shape !== last[i])) last = now
    return last
  })
}
