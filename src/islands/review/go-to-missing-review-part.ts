import type { StudioDrawing } from './studio-drawing.ts'
import type { StudioStore } from './studio-store.ts'

/** Selectors for the first field or button in the goals and grades sections of the summary tab. */
const FIRST_FIELDS: Record<string, string> = {
  goals: '[aria-labelledby=goals] textarea, [aria-labelledby=goals] > button',
  grades: '[aria-labelledby=grades] input',
}

/** Goes to the `place` of a part that the review lacks (see `MissingReviewPart`): a tab, note, video or field. */
export function goToMissingReviewPart(
  place: string,
  studio: Pick<
    StudioStore,
    'autosavedDraft' | '$clips' | '$tab' | '$comparing' | 'goToMoment' | 'editNoteText' | 'selectClip' | 'openSummaryAt'
  >,
  drawing: Pick<StudioDrawing, 'drawOnPicture'>,
) {
  if (place === 'technique') return studio.$tab.set(place)
  const note = studio.autosavedDraft.$draft.get().notes.find(n => n.id === place)
  const video = studio.$clips.get().find(c => c.id === place)
  if (note) {
    studio.goToMoment(note)
    return studio.editNoteText(note.id)
  }
  if (!video && place !== 'picture') return studio.openSummaryAt(FIRST_FIELDS[place] ?? '#summary')
  // An open comparison would cover the stage.
  studio.$comparing.set(undefined)
  if (video) studio.selectClip(video)
  else drawing.drawOnPicture()
}
