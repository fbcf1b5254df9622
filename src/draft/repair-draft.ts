import type { Draft } from '../../modules/folders/contract.ts'
import { withNewDrawingIds } from './renew-drawing-ids.ts'

/**
 * Repairs two faults that earlier versions of the app left in drafts, and that a delivery refuses: voice-overs that were split into notes
 * share the ids of their drawings, so later ones get new ids; a note names a voice-over that no longer exists, so it loses that name.
 */
export function repairDraft(draft: Draft): Draft {
  const voiceIds = new Set(draft.voices?.map(v => v.id))
  const notes = draft.notes.map(note => {
    const { voice, ...rest } = note
    return voice === undefined || voiceIds.has(voice) ? note : rest
  })
  const usedShapeIds = new Set(
    [...draft.notes, ...(draft.comparisons ?? []).flatMap(c => c.sides)].flatMap(({ shapes = [] }) => shapes.map(s => s.id)),
  )
  const voices = draft.voices?.map(voice => {
    const repaired = voice.shapes?.some(s => usedShapeIds.has(s.id)) ? withNewDrawingIds(voice) : voice
    for (const { id } of repaired.shapes ?? []) usedShapeIds.add(id)
    return repaired
  })
  return { ...draft, notes, ...(voices && { voices }) }
}
