import { computed, type ReadableAtom } from 'nanostores'
import type { Shape } from '../../../modules/reviews/contract.ts'
import { shapesOfNotes } from '../../drawing/shapes.ts'
import type { StudioStore } from './studio-store.ts'

/**
 * What is drawn on the clip that is on the stage, of notes and of the voice that is recorded or heard: one list for as long as it holds the
 * same, so that letters which are typed paint nothing.
 */
export function createStageShapes(
  { draftStore, $clipId }: Pick<StudioStore, 'draftStore' | '$clipId'>,
  $voiceShapes: ReadableAtom<readonly Shape[]>,
) {
  let last: readonly Shape[] = []
  return computed([draftStore.$draft, $clipId, $voiceShapes], ({ notes }, clip, spoken) => {
    const now = [...shapesOfNotes(notes, clip), ...spoken]
    if (now.length !== last.length || now.some((shape, i) => shape !== last[i])) last = now
    return last
  })
}
